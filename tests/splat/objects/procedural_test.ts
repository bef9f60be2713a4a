import assert from "node:assert/strict";
import { blankImage, type Image } from "../../../env/image.ts";
import type { Camera } from "../../../splat/camera.ts";
import { boundsOf } from "../../../splat/objects/bounds.ts";
import { PROCEDURAL_OBJECTS, proceduralSolids } from "../../../splat/objects/procedural.ts";
import { renderSolids } from "../../../splat/objects/render_solids.ts";
import { standardRig } from "../../../splat/rig.ts";
import type { Vector3 } from "../../../env/vector3.ts";

Deno.test("proceduralSolids() fills the cube [−0.9, 0.9]³ and stays inside", () => {
  for (const object of PROCEDURAL_OBJECTS) {
    const { low, high } = boundsOf(proceduralSolids(object));
    const reach = Math.max(...[...low, ...high].map(Math.abs));
    assert.ok(reach <= 0.9 + 1e-12, `${object} reaches ${reach}`);
    const edges = high.map((value, axis) => value - low[axis]);
    assert.ok(Math.max(...edges) > 1.7, `${object} spans only ${edges}`);
    assert.ok(Math.min(...edges) > 0.8, `${object} is flat: ${edges}`);
  }
});

Deno.test("proceduralSolids() has at least five colours an object and is the same on every call", () => {
  for (const object of PROCEDURAL_OBJECTS) {
    const solids = proceduralSolids(object);
    assert.ok(new Set(solids.map(({ color }) => color.join())).size >= 5, object);
    assert.deepEqual(proceduralSolids(object), solids);
  }
});

Deno.test("proceduralSolids() differs from its mirror image in every reference view, whatever the mirror", () => {
  const planes = Deno.env.get("BENCH_SOAK") ? 64 : 8;
  const cameras = standardRig().reference.map((camera) => shrunk(camera, 48));
  for (const object of PROCEDURAL_OBJECTS) {
    const solids = proceduralSolids(object);
    const photos = cameras.map((camera) => renderSolids(solids, camera).image);
    for (let plane = 0; plane < planes; plane++) {
      const angle = plane * Math.PI / planes;
      cameras.forEach((camera, view) => {
        const mirrored = flipped(renderSolids(solids, mirroredCamera(camera, angle)).image);
        const share = changedPixels(photos[view], mirrored) /
          changedPixels(photos[view], white(photos[view]));
        assert.ok(
          share > 0.08,
          `${object}, view ${view}, mirror at ${angle}: only ${share} of the pixels differ`,
        );
      });
    }
  }
});

function shrunk(camera: Camera, size: number): Camera {
  const scale = size / camera.width;
  const [fx, fy] = [camera.fx * scale, camera.fy * scale];
  return { ...camera, fx, fy, cx: size / 2, cy: size / 2, width: size, height: size };
}

/** Sees the object as `camera` sees its reflection across the upright plane with this normal, left and right swapped. */
function mirroredCamera(camera: Camera, angle: number): Camera {
  const [nx, ny] = [Math.cos(angle), Math.sin(angle)];
  const reflect = ([x, y, z]: Vector3): Vector3 => {
    const along = x * nx + y * ny;
    return [x - 2 * along * nx, y - 2 * along * ny, z];
  };
  const [right, down, forward] = camera.rotation.map(reflect);
  const [tx, ty, tz] = camera.translation;
  return {
    ...camera,
    rotation: [[-right[0], -right[1], -right[2]], down, forward],
    translation: [-tx, ty, tz],
    cx: camera.width - camera.cx,
  };
}

function flipped({ width, height, data }: Image): Image {
  const image = blankImage(width, height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const source = pixel - pixel % width + width - 1 - pixel % width;
    image.data.set(data.subarray(source * 3, source * 3 + 3), pixel * 3);
  }
  return image;
}

const white = ({ width, height }: Image): Image => blankImage(width, height);

function changedPixels(a: Image, b: Image): number {
  let changed = 0;
  for (let at = 0; at < a.data.length; at += 3) {
    if ([0, 1, 2].some((c) => Math.abs(a.data[at + c] - b.data[at + c]) > 24)) changed++;
  }
  return changed;
}
