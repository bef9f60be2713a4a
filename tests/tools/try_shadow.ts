/**
 * Tries poses out, for authors of targets: `deno run -A tests/tools/try_shadow.ts POSES.json --out DIR [--hand FILE]`.
 *
 * POSES.json is `{name: {right?: HAND, left?: HAND}}` with HAND `{position: [x, y, z], euler: [x, y, z] (degrees,
 * R = Rz Ry Rx) or orientation: [w, x, y, z], joints: {"index.mcp": 20, …} (degrees)}`; a hand that is left out is parked
 * beside the screen. Writes `NAME.png`, the shadow beside the hands from the lamp and from the right, and
 * `NAME_shadow.png`; prints what decides whether the target is a good one.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { blit, drawText } from "../../env/draw.ts";
import { blankImage, type Image } from "../../env/image.ts";
import { encodePng } from "../../env/png.ts";
import { fromEuler, normalize } from "../../env/quaternion.ts";
import { printLine } from "../../eval/terminal.ts";
import { PoseChecker } from "../../shadow/collision/pose_checker.ts";
import { controlIndex, CONTROLS } from "../../shadow/hand/controls.ts";
import { loadHands } from "../../shadow/hand/load_hand.ts";
import type { HandPose, Pose, Side } from "../../shadow/pose.ts";
import { hullMask } from "../../shadow/score/hull_mask.ts";
import { prepareTarget, scoreShadow } from "../../shadow/score/shadow_score.ts";
import { castShadow } from "../../shadow/stage/cast_shadow.ts";
import { type Mask, maskAt } from "../../shadow/stage/mask.ts";
import { MASK_HEIGHT, MASK_WIDTH } from "../../shadow/stage/stage.ts";
import { movedMask } from "../shadow/moved_mask.ts";
import { fromLamp, fromRight } from "./shaded_hands.ts";

const triple = z.tuple([z.number(), z.number(), z.number()]);
const handSchema = z.strictObject({
  position: triple,
  euler: triple.optional(),
  orientation: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  joints: z.partialRecord(z.enum(CONTROLS.map(({ name }) => name)), z.number()).optional(),
});
const posesSchema = z.record(
  z.string(),
  z.strictObject({ right: handSchema.optional(), left: handSchema.optional() }),
);

const { values: { out, hand }, positionals: [file] } = parseArgs({
  allowPositionals: true,
  options: { out: { type: "string", default: "." }, hand: { type: "string" } },
});
const hands = await loadHands(hand);
const checker = new PoseChecker(hands);
await mkdir(out, { recursive: true });
const { data: poses, error } = posesSchema.safeParse(JSON.parse(await readFile(file, "utf8")));
if (error) printLine(z.prettifyError(error));
for (const [name, { right, left }] of Object.entries(poses ?? {})) {
  const pose: Pose = { right: handPose("right", right), left: handPose("left", left) };
  const mask = castShadow(hands, pose);
  const shadow = maskImage(mask);
  const page = blankImage(3 * MASK_WIDTH, MASK_HEIGHT);
  blit(page, shadow, 0, 0);
  blit(page, fromLamp(hands, pose), MASK_WIDTH, 0);
  blit(page, fromRight(hands, pose), 2 * MASK_WIDTH, 0);
  drawText(page, MASK_WIDTH + 8, 8, "from the lamp");
  drawText(page, 2 * MASK_WIDTH + 8, 8, "from the right: lamp left, screen right");
  await writeFile(join(out, `${name}.png`), await encodePng(page));
  await writeFile(join(out, `${name}_shadow.png`), await encodePng(shadow));
  printLine(`${name}: ${describe(mask, pose)}; ${checker.pose(pose)?.text ?? "legal"}`);
}

function handPose(side: Side, hand: z.infer<typeof handSchema> | undefined): HandPose {
  const angles = CONTROLS.map(() => 0);
  if (hand === undefined) {
    return { angles, position: [side === "right" ? 0.75 : -0.75, -0.5, 1], orientation: [1, 0, 0, 0] };
  }
  for (const [joint, degrees = 0] of Object.entries(hand.joints ?? {})) {
    angles[controlIndex(joint)] = degrees * Math.PI / 180;
  }
  const orientation = normalize(hand.orientation ?? fromEuler(hand.euler ?? [0, 0, 0]));
  return { angles, position: hand.position, orientation };
}

function describe(mask: Mask, pose: Pose): string {
  if (mask.every((word) => word === 0)) return "no shadow";
  const target = prepareTarget(mask);
  const hull = scoreShadow(target, hullMask(mask), pose);
  const moved = scoreShadow(target, movedMask(mask, 3, 3), pose);
  const own = scoreShadow(target, mask, pose);
  const holes = target.holes.map(({ pixels }) => pixels).join(", ") || "none";
  return [
    `area ${target.area} px`,
    `holes ${holes}`,
    `hull F ${hull.outlineF.toFixed(2)} IoU ${hull.iou.toFixed(2)} score ${hull.score.toFixed(1)}`,
    `moved by (3, 3) F ${moved.outlineF.toFixed(2)}`,
    `w ${own.wrists.toFixed(2)}`,
    `score ${own.score.toFixed(1)}`,
  ].join("; ");
}

function maskImage(mask: Mask): Image {
  const image = blankImage(MASK_WIDTH, MASK_HEIGHT);
  for (let pixel = 0; pixel < MASK_WIDTH * MASK_HEIGHT; pixel++) {
    if (maskAt(mask, pixel % MASK_WIDTH, Math.floor(pixel / MASK_WIDTH))) {
      image.data.fill(0, 3 * pixel, 3 * pixel + 3);
    }
  }
  return image;
}
