import assert from "node:assert/strict";
import { blankImage } from "../../env/image.ts";
import { SCHEMA_VERSION, type StepRecord } from "../../env/records.ts";
import { StepLog, type VisiblePart } from "../../env/step_log.ts";

const hiddenOf = (psnr: number) => ({ hidden: { psnr }, hidden_score: null, score_before_peeks: null });

function visible(step: number): VisiblePart {
  return {
    schema_version: SCHEMA_VERSION,
    episode_id: "e",
    step,
    tool: "submit",
    arguments: {},
    accepted: true,
    refusal: null,
    response: "",
    image: null,
    state: null,
    budgets: {},
    done: false,
  };
}

Deno.test("StepLog hands records on in step order when later metrics are known first", async () => {
  const seen: number[] = [];
  const log = new StepLog((record) => void seen.push(record.step));
  const first = Promise.withResolvers<ReturnType<typeof hiddenOf>>();
  log.add(visible(0), first.promise, null);
  log.add(visible(1), Promise.resolve(hiddenOf(11)), null);
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(seen, []);
  first.resolve(hiddenOf(10));
  const records = await log.records();
  assert.deepEqual(seen, [0, 1]);
  assert.deepEqual(records.map(({ hidden }) => hidden.psnr), [10, 11]);
});

Deno.test("StepLog waits for an asynchronous onStep before the next one, and passes the picture", async () => {
  const events: string[] = [];
  const log = new StepLog(async (record: StepRecord, image) => {
    events.push(`start ${record.step} ${image?.width}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
    events.push(`end ${record.step}`);
  });
  log.add(visible(0), Promise.resolve(hiddenOf(1)), blankImage(7, 3));
  log.add(visible(1), Promise.resolve(hiddenOf(1)), null);
  await log.records();
  assert.deepEqual(events, ["start 0 7", "end 0", "start 1 undefined", "end 1"]);
});

Deno.test("StepLog surfaces an error of metrics or of onStep from records() and hands nothing on after it", async () => {
  const seen: number[] = [];
  const log = new StepLog((record) => void seen.push(record.step));
  log.add(visible(0), Promise.reject(new Error("device lost")), null);
  log.add(visible(1), Promise.resolve(hiddenOf(1)), null);
  await assert.rejects(log.records(), /device lost/);
  assert.deepEqual(seen, []);

  const full = new StepLog(() => {
    throw new Error("disk full");
  });
  full.add(visible(0), Promise.resolve(hiddenOf(1)), null);
  await assert.rejects(full.records(), /disk full/);
});
