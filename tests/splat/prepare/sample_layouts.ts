/** Writes sample views to a temporary folder in each layout that there is a reader for. */
import { join } from "node:path";
import type { Camera } from "../../../splat/camera.ts";
import { transpose } from "../../../splat/objects/rotation.ts";
import { apply } from "../../../splat/objects/rotation.ts";
import { jpeg, maskPng, onPaper, rgbaPng, rgbPng, type SampleView } from "./sample_capture.ts";

export type Files = Record<string, string | Uint8Array>;

/** Runs with the files in a folder that is gone afterwards. */
export async function withFolder<T>(files: Files, run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, content] of Object.entries(files)) {
      await Deno.mkdir(join(folder, name, ".."), { recursive: true });
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await Deno.writeFile(join(folder, name), bytes);
    }
    return await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

export function nerfFiles(views: readonly SampleView[]): Files {
  const { fx, width } = views[0].camera;
  const frames = views.map(({ camera }, i) => ({
    file_path: `./train/r_${i}`,
    rotation: 0.01,
    // Blender's cameras look along −z with y up.
    transform_matrix: cameraToWorld(camera).map(([x, y, z, t]) => [x, -y, -z, t]),
  }));
  frames.forEach((frame) => frame.transform_matrix[3] = [0, 0, 0, 1]);
  const transforms = { camera_angle_x: 2 * Math.atan(0.5 * width / fx), frames };
  return {
    "transforms_train.json": JSON.stringify(transforms),
    ...pictures(views, (i) => `train/r_${i}.png`, ({ photo }) => rgbaPng(photo)),
  };
}

export function nsvfFiles(views: readonly SampleView[]): Files {
  const { fx, fy, cx, cy } = views[0].camera;
  const stem = (i: number) => `${i < 20 ? 0 : 1}_${String(i).padStart(4, "0")}`;
  return {
    "intrinsics.txt": lines([[fx, 0, cx, 0], [0, fy, cy, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
    ...pictures(views, (i) => `rgb/${stem(i)}.png`, ({ photo }) => rgbPng(onPaper(photo, 255))),
    ...Object.fromEntries(
      views.map(({ camera }, i) => [`pose/${stem(i)}.txt`, lines(cameraToWorld(camera))]),
    ),
  };
}

export function blendedMvsFiles(views: readonly SampleView[]): Files {
  const id = (i: number) => String(i).padStart(8, "0");
  const cam = ({ rotation, translation, fx, fy, cx, cy }: Camera) =>
    `extrinsic\n${lines([...rotation.map((row, i) => [...row, translation[i]]), [0, 0, 0, 1]])}\n` +
    `intrinsic\n${lines([[fx, 0, cx], [0, fy, cy], [0, 0, 1]])}\n2.5 0.01 128 5.0\n`;
  return {
    "cams/pair.txt": "not a camera",
    ...Object.fromEntries(views.map(({ camera }, i) => [`cams/${id(i)}_cam.txt`, cam(camera)])),
    ...pictures(
      views,
      (i) => `blended_images/${id(i)}_masked.jpg`,
      ({ photo }) => jpeg(onPaper(photo, 0), 98),
    ),
  };
}

/** Quaternions by the eigenvector formula for the largest component, from Markley 2008. */
export function colmapTextFiles(views: readonly SampleView[]): Files {
  const { fx, fy, cx, cy, width, height } = views[0].camera;
  const images = views.map(({ camera: { rotation, translation } }, i) =>
    `${i + 1} ${quaternionOf(rotation).join(" ")} ${translation.join(" ")} 7 side a/${i}.jpg\n` +
    (i % 2 === 0 ? "" : "1.5 2.5 -1 3.5 4.5 12")
  );
  return {
    "sparse/0/cameras.txt": `# Camera list\n7 PINHOLE ${width} ${height} ${fx} ${fy} ${cx} ${cy}\n`,
    "sparse/0/images.txt": `# Image list\n# two lines each\n${images.join("\n")}\n`,
    ...pictures(views, (i) => `images/side a/${i}.jpg`, ({ photo }) => jpeg(onPaper(photo, 130), 98)),
    ...pictures(
      views,
      (i) => `masks/side a/${i}${i % 2 === 0 ? "" : ".jpg"}.png`,
      ({ photo }) => maskPng(photo),
    ),
  };
}

export function colmapBinaryFiles(views: readonly SampleView[]): Files {
  const { fx, cx, cy, width, height } = views[0].camera;
  const images = views.flatMap(({ camera: { rotation, translation } }, i) => [
    ...u32(i + 1),
    ...f64(...quaternionOf(rotation), ...translation),
    ...u32(7),
    ...new TextEncoder().encode(`${i}.png\0`),
    ...u64(i % 3),
    ...Array.from({ length: 24 * (i % 3) }, () => 0xee),
  ]);
  return {
    "sparse/cameras.bin": new Uint8Array([
      ...u64(1),
      ...u32(7),
      ...u32(0),
      ...u64(width),
      ...u64(height),
      ...f64(fx, cx, cy),
    ]),
    "sparse/images.bin": new Uint8Array([...u64(views.length), ...images]),
    ...pictures(views, (i) => `images/${i}.png`, ({ photo }) => rgbaPng(photo)),
  };
}

/** Little-endian fields of COLMAP's binary files. */
export const u32 = (value: number) => new Uint8Array(new Uint32Array([value]).buffer);
export const u64 = (value: number) => new Uint8Array(new BigUint64Array([BigInt(value)]).buffer);
export const f64 = (...values: number[]) => new Uint8Array(new Float64Array(values).buffer);

function pictures(
  views: readonly SampleView[],
  name: (i: number) => string,
  encode: (view: SampleView) => Uint8Array,
): Files {
  return Object.fromEntries(views.map((view, i) => [name(i), encode(view)]));
}

/** [R | t] of the inverse, with the last row. */
function cameraToWorld({ rotation, translation }: Camera): number[][] {
  const turned = transpose(rotation);
  const eye = apply(turned, translation);
  return [...turned.map((row, i) => [...row, -eye[i]]), [0, 0, 0, 1]];
}

function lines(rows: readonly (readonly number[])[]): string {
  return rows.map((row) => row.join(" ")).join("\n");
}

function quaternionOf([[a, b, c], [d, e, f], [g, h, i]]: Camera["rotation"]): number[] {
  const columns = [
    [1 + a + e + i, h - f, c - g, d - b],
    [h - f, 1 + a - e - i, b + d, c + g],
    [c - g, b + d, 1 - a + e - i, f + h],
    [d - b, c + g, f + h, 1 - a - e + i],
  ];
  const largest = columns.reduce((best, column) =>
    Math.hypot(...column) > Math.hypot(...best) ? column : best
  );
  return largest.map((value) => value / Math.hypot(...largest));
}
