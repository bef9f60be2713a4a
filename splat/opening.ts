/** The opening message of an episode: what its cameras and limits are, and the sheet of photos. */
import type { Image } from "../env/image.ts";
import { type Camera, cameraOrbit } from "./camera.ts";
import { referenceSheet } from "./pictures/sheet.ts";
import type { SplatTask } from "./task.ts";
import { count } from "../env/numbers.ts";
import { orbitWords, viewCaption } from "./tools/view_words.ts";

/** The reference photos, numbered; drawn once, for all episodes on the same photos. */
export function openingSheet({ reference }: SplatTask): Image {
  const known = SHEETS.get(reference);
  if (known !== undefined) return known;
  const captions = reference.map(({ camera }, view) => viewCaption(view, camera));
  const sheet = referenceSheet(reference.map(({ photo }) => photo), captions);
  SHEETS.set(reference, sheet);
  return sheet;
}

const SHEETS = new WeakMap<SplatTask["reference"], Image>();

/** Where the reference cameras stand, what the limits are, and what the scene holds. */
export function openingFacts(task: SplatTask): string {
  const { width, height } = task.reference[0].photo;
  const views = task.reference.map(({ camera }, view) =>
    `view ${view}: ${orbitWords(cameraOrbit(camera))}${originWords(camera)}`
  );
  return [
    `The picture shows ${
      count(views.length, "reference photo")
    }, numbered, ${width}×${height} pixels each, on ` +
    "white. Their cameras, with the horizontal field of view:",
    ...views,
    limitsLine(task),
    startLine(task),
  ].join("\n");
}

/** Where the origin is in the picture, for cameras that do not look at it: those of real captures. */
function originWords({ translation: [x, y, z], fx, fy, cx, cy, width, height }: Camera): string {
  const [u, v] = [fx * x / z + cx, fy * y / z + cy];
  if (!(z > 0) || Math.hypot(u - width / 2, v - height / 2) <= 1) return "";
  return `, origin at pixel (${u.toFixed(1)}, ${v.toFixed(1)})`;
}

function limitsLine({ limits: { gaussians, calls, renders, viewsPerPicture } }: SplatTask): string {
  const views = renders === 0
    ? ""
    : ` A render_views call uses one render, whether it shows one view or ${viewsPerPicture}.`;
  return `Limits: ${count(gaussians, "Gaussian")}, ${count(calls, "tool call")}, ${
    count(renders, "render")
  }.${views}`;
}

function startLine({ start }: SplatTask): string {
  if (start.length === 0) return "The scene is empty.";
  const groups = [...new Set(start.flatMap(({ group }) => group === null ? [] : [group]))];
  return `The scene holds ${count(start.length, "Gaussian")} in ${count(groups.length, "group")}: ${
    groups.join(", ")
  }.`;
}
