import assert from "node:assert/strict";
import { packParameters, sceneFromParameters } from "../../../splat/fit/parameters.ts";
import { DEFAULT_FIT } from "../../../splat/fit/recipe.ts";
import { splitGaussians } from "../../../splat/fit/split_gaussians.ts";
import { fromAxisAngle } from "../../../env/quaternion.ts";
import { gaussian } from "../render/random_scenes.ts";

Deno.test("splitGaussians() splits what lies on most error along its longest axis into the place of the least useful", () => {
  const long = gaussian({
    mean: [0.1, 0.2, 0.3],
    scale: [0.05, 0.2, 0.1],
    // The longest axis, own y, points along the world's −x.
    quaternion: fromAxisAngle([0, 0, 1], 90),
  });
  const scene = Array.from({ length: 10 }, (_, id) => id === 4 ? long : gaussian({ id }));
  const contributions = new Float32Array(scene.flatMap((_, id) => [id === 7 ? 0.5 : 9, id === 4 ? 5 : 1]));
  const parameters = new Float32Array(packParameters(scene).buffer);
  const moved = splitGaussians(parameters, contributions, DEFAULT_FIT);
  assert.deepEqual(moved.map(({ index }) => index), [4, 7]);
  const [low, high] = moved.map(({ parameters }) => sceneFromParameters(parameters.buffer)[0]);
  for (const half of [low, high]) {
    assert.ok(
      half.scale[1] < 0.2 && Math.abs(half.scale[0] - 0.05) < 1e-6 && Math.abs(half.scale[2] - 0.1) < 1e-6,
    );
    assert.ok(Math.abs(half.mean[1] - 0.2) < 1e-6 && Math.abs(half.mean[2] - 0.3) < 1e-6);
  }
  assert.ok(Math.abs((low.mean[0] + high.mean[0]) / 2 - 0.1) < 1e-6);
  assert.ok(low.mean[0] - high.mean[0] > 0.1);
});

Deno.test("splitGaussians() moves nothing when there is one Gaussian", () => {
  const parameters = new Float32Array(packParameters([gaussian()]).buffer);
  assert.deepEqual(splitGaussians(parameters, new Float32Array([1, 1]), DEFAULT_FIT), []);
});
