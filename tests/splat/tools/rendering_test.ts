/** What the tools that show pictures ask for, and what their pictures hold. */
import assert from "node:assert/strict";
import { blankImage, type Image } from "../../../env/image.ts";
import { type Camera, cameraEye } from "../../../splat/camera.ts";
import { ANGLE_MARGIN } from "../../../splat/pictures/angle.ts";
import { comparisonCells } from "../../../splat/pictures/comparison.ts";
import { sheetCells } from "../../../splat/pictures/sheet.ts";
import { crop } from "../../support/crop.ts";
import { HEIGHT, stubPlay, stubTask, WIDTH } from "../../support/splat_stub.ts";

const WHITE = blankImage(WIDTH, HEIGHT);

function photosOf(): Image[] {
  return stubTask().reference.map(({ photo }) => photo);
}

function shown(image: Image | null): Image {
  assert.ok(image !== null);
  return image;
}

Deno.test("the opening sheet shows the photos of views 0 to 7 in order", async () => {
  const { image } = await stubPlay().episode.observe();
  const cells = sheetCells(8, WIDTH, HEIGHT);
  assert.deepEqual(cells.map((cell) => crop(shown(image), cell)), photosOf());
});

Deno.test("view_references shows the photos asked for, in the order asked", async () => {
  const { text, image } = await stubPlay().episode.call("view_references", { views: [6, 1, 3] });
  const cells = sheetCells(3, WIDTH, HEIGHT);
  const photos = photosOf();
  assert.deepEqual(cells.map((cell) => crop(shown(image), cell)), [photos[6], photos[1], photos[3]]);
  assert.match(
    text,
    /^Reference photos:\nview 6: azimuth 270°, .*\nview 1: azimuth 45°, .*\nview 3: azimuth 135°/,
  );
});

Deno.test("render_views draws from the cameras asked for and puts each render beside its own photo", async () => {
  const { episode, renderer } = stubPlay();
  const { image } = await episode.call("render_views", { views: [6, 1] });
  const [job] = renderer.batches.flat().filter(({ pixels }) => pixels);
  const { reference } = stubTask();
  assert.deepEqual(job.cameras, [reference[6].camera, reference[1].camera]);
  const photos = photosOf();
  comparisonCells(2, WIDTH, HEIGHT).forEach((cells, i) => {
    assert.deepEqual(crop(shown(image), cells.photo), photos[[6, 1][i]]);
    // The stub draws white.
    assert.deepEqual(crop(shown(image), cells.render), WHITE);
  });
});

/** The camera of the last render without a photo. */
async function angleCamera(
  args: Record<string, number>,
): Promise<{ camera: Camera; image: Image; text: string }> {
  const { episode, renderer } = stubPlay();
  const { image, text } = await episode.call("render_angle", args);
  const job = renderer.batches.flat().findLast(({ photos }) => photos === null);
  assert.ok(job !== undefined && job.cameras.length === 1 && job.pixels);
  return { camera: job.cameras[0], image: shown(image), text };
}

Deno.test("render_angle draws from azimuth, elevation and distance, by default those of the references", async () => {
  const { camera, image, text } = await angleCamera({ azimuth: 90, elevation: 30 });
  // By hand: the stub's reference cameras are 3 away with a field of view of 40°; 3 cos 30° = 2.598, 3 sin 30° = 1.5.
  const eye = [0, 3 * Math.sqrt(3) / 2, 1.5];
  cameraEye(camera).forEach((part, i) => assert.ok(Math.abs(part - eye[i]) < 1e-12));
  assert.deepEqual([camera.width, camera.height], [WIDTH, HEIGHT]);
  assert.ok(Math.abs(camera.fx - 12 / Math.tan(20 * Math.PI / 180)) < 1e-9);
  assert.match(text, /^Rendered from azimuth 90°, elevation 30°, distance 3, field of view 40°\./);
  const cell = { x: ANGLE_MARGIN, y: image.height - ANGLE_MARGIN - HEIGHT, width: WIDTH, height: HEIGHT };
  assert.deepEqual(crop(image, cell), WHITE);

  const closer = await angleCamera({ azimuth: -90, elevation: 0, distance: 1.25 });
  [0, -1.25, 0].forEach((part, i) => assert.ok(Math.abs(cameraEye(closer.camera)[i] - part) < 1e-12));
});
