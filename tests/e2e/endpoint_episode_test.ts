/** A scripted endpoint plays SplatBench on the device: pictures, parallel calls, malformed arguments, an idle turn. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { CONTINUE_REQUEST } from "../../eval/dialogue.ts";
import { chatModel } from "../../eval/models/chat_model.ts";
import { modelPlayer } from "../../eval/player.ts";
import { runEval } from "../../eval/run_eval.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { fakeEndpoint, turn } from "../support/fake_endpoint.ts";

const RED = { pos: [0, 0, 0], scale: 0.2, color: "#c02020", opacity: 0.9 };

/** One turn after the other; what each answers is checked below. */
const SCRIPT = [
  () =>
    turn([{ name: "add_gaussians", args: { gaussians: [RED] } }, {
      name: "render_views",
      args: { views: [0, 3] },
    }]),
  () => turn([], { text: "Let me think." }),
  () => turn([{ name: "add_gaussians", raw: `{"gaussians": [` }, { name: "paint", args: {} }]),
  () => turn([{ name: "edit_gaussians", args: { edits: [{ id: 99, color: "#000000" }] } }]),
  () => turn([{ name: "render_angle", args: { azimuth: 200, elevation: 20 }, id: "id_0" }]),
  () => turn([{ name: "submit" }, { name: "list_gaussians" }], { text: "Done." }),
];

Deno.test("an endpoint plays a whole SplatBench episode", async () => {
  await using endpoint = fakeEndpoint((request) => SCRIPT[request.turn]());
  const environment = splatEnvironment();
  const out = await Deno.makeTempDir();
  try {
    const model = chatModel({
      name: "fake",
      id: "fake",
      baseUrl: endpoint.url,
      apiKey: null,
      effort: null,
      extraBody: {},
      maxTokens: 1000,
      concurrency: 1,
    });
    const { episodes, folder } = await runEval({
      environment,
      players: [modelPlayer(model)],
      tasks: await environment.findTasks(["rocket__sculpt"]),
      protocol: "standard",
      effort: "medium",
      runs: 1,
      concurrency: 1,
      out,
      retryErrors: false,
      stop: new AbortController().signal,
      progress: { note() {}, begin() {}, finished() {}, end() {} },
    });

    const [episode] = episodes;
    assert.equal(episode.status, "complete");
    assert.equal(episode.ended_by, "submit");
    assert.equal(episode.episode_id, "fake__rocket__sculpt__eval_r1");
    // add, render, refused edit, angle, submit; the malformed and the unknown call and the one after the end never ran.
    assert.equal(episode.calls, 5);
    assert.equal(episode.budget_used.renders, 2);
    assert.deepEqual(episode.calls_not_run, { invalid_json: 1, unknown_tool: 1, after_end: 1 });
    assert.equal(episode.refusals.unknown_id, 1);
    assert.equal(episode.closing_message, "Done.");
    assert.equal(episode.usage.input_tokens, 100 * SCRIPT.length);
    assert.equal(episode.score_kind, "partial");
    assert.ok(episode.score !== null && episode.score < 30, `${episode.score}`);
    assert.equal(episode.reward, Math.max(0, episode.score / 100));
    // The opening's empty scene is 0 points.
    assert.deepEqual([episode.curve[0].score, episode.curve.at(-1)?.score], [0, episode.score]);
    assert.ok(Number.isFinite(episode.metrics.psnr) && Number.isFinite(episode.metrics.ssim));

    // The last request carries the conversation as the protocol wants it.
    const { messages } = endpoint.requests[SCRIPT.length - 1].body;
    // deno-lint-ignore no-explicit-any
    const roles = messages.map((message: any) => message.role);
    assert.deepEqual(roles.slice(0, 6), ["system", "user", "assistant", "tool", "tool", "user"]);
    const [opening, ...pictures] = messages
      // deno-lint-ignore no-explicit-any
      .filter((message: any) => message.role === "user")
      // deno-lint-ignore no-explicit-any
      .flatMap((message: any) => message.content.filter((part: any) => part.type === "image_url"));
    assert.match(opening.image_url.url, /^data:image\/png;base64,/);
    assert.equal(pictures.length, 2);
    const texts = JSON.stringify(messages);
    assert.ok(texts.includes(JSON.stringify(CONTINUE_REQUEST).slice(1, -1)));
    assert.match(texts, /PSNR \d+\.\d+ dB/);
    assert.match(texts, /not valid JSON/);
    // Hidden measurements never reach the model: no request mentions the held-out figures.
    assert.ok(!texts.includes(episode.metrics.psnr.toFixed(6)) && !texts.includes("hidden"));
    // Every call has exactly one answer, under its own id.
    // deno-lint-ignore no-explicit-any
    const asked = messages.flatMap((message: any) => (message.tool_calls ?? []).map((call: any) => call.id));
    // deno-lint-ignore no-explicit-any
    const answered = messages.filter((message: any) => message.role === "tool").map((m: any) =>
      m.tool_call_id
    );
    assert.deepEqual(answered, asked);
    assert.equal(new Set(asked).size, asked.length);

    const files = [...Deno.readDirSync(join(folder, episode.episode_id))].map(({ name }) => name).sort();
    assert.deepEqual(files, ["episode.json", "steps.jsonl", "transcript.jsonl"]);
  } finally {
    environment.close();
    await Deno.remove(out, { recursive: true });
  }
});
