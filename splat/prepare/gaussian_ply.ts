/** The `.ply` of 3D Gaussian Splatting (Inria) as a scene. */
import type { Vector3 } from "../../env/vector3.ts";
import type { Scene } from "../scene.ts";
import { badCapture } from "./capture.ts";
import { parsePlyHeader, type PlyHeader } from "./ply_header.ts";
import { type AxisUp, normaliseScene } from "./normalise_scene.ts";
import { readSource } from "./source_files.ts";

/**
 * Reads means, logarithms of scales, quaternions, opacity logits and the constant spherical harmonic; what depends on
 * the view (`f_rest_*`) is left out. The scene is stood up and fitted into the cube.
 *
 * @param up which axis of the file points up: `-y` as COLMAP's worlds do, `y`, or `z`
 * @throws BenchError naming the file and the property or vertex: another format, a missing property, a cut-off file,
 *   a value that is not finite, a zero quaternion
 */
export async function readGaussianPly(path: string, up: AxisUp): Promise<Scene> {
  return normaliseScene(parseGaussianPly(await readSource(path), path), up);
}

/** The file's Gaussians as they are, in its own axes; `path` names it in errors. */
export function parseGaussianPly(bytes: Uint8Array, path: string): Scene {
  const header = parsePlyHeader(bytes, path);
  const at = offsets(header, path);
  const { start, stride, count } = header;
  if (start + stride * count > bytes.length) {
    throw badCapture(
      path,
      null,
      `it is cut off: ${count} vertices need ${start + stride * count} bytes, it has ${bytes.length}`,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: count }, (_, vertex) => {
    const value = (name: Property) => view.getFloat32(start + vertex * stride + at[name], true);
    const vector = (x: Property, y: Property, z: Property, map = (v: number) => v): Vector3 => [
      map(value(x)),
      map(value(y)),
      map(value(z)),
    ];
    const gaussian = {
      id: vertex,
      mean: vector("x", "y", "z"),
      scale: vector("scale_0", "scale_1", "scale_2", Math.exp),
      quaternion: [value("rot_0"), value("rot_1"), value("rot_2"), value("rot_3")] as const,
      color: vector("f_dc_0", "f_dc_1", "f_dc_2", (v) => clamp(0.5 + SH0 * v)),
      opacity: 1 / (1 + Math.exp(-value("opacity"))),
      group: null,
    };
    const { mean, scale, quaternion, color, opacity } = gaussian;
    if (![...mean, ...scale, ...quaternion, ...color, opacity].every(Number.isFinite)) {
      throw badCapture(path, `vertex ${vertex}`, "a value is not finite");
    }
    if (!(Math.hypot(...quaternion) > 0)) {
      throw badCapture(path, `vertex ${vertex}`, "a zero quaternion is no rotation");
    }
    return gaussian;
  });
}

/** Y₀₀ = 1 / (2 √π): colour = 0.5 + Y₀₀ f_dc. */
const SH0 = 0.28209479177387814;

const PROPERTIES = [
  "x",
  "y",
  "z",
  "f_dc_0",
  "f_dc_1",
  "f_dc_2",
  "opacity",
  "scale_0",
  "scale_1",
  "scale_2",
  "rot_0",
  "rot_1",
  "rot_2",
  "rot_3",
] as const;
type Property = typeof PROPERTIES[number];

function offsets({ properties }: PlyHeader, path: string): Record<Property, number> {
  const offset = (name: Property) => {
    const found = properties.get(name);
    if (found === undefined || found.type !== "float") {
      throw badCapture(
        path,
        name,
        found === undefined ? "the property is missing" : `it is ${found.type}, not float`,
        "Export the scene as an uncompressed 3DGS .ply",
      );
    }
    return found.offset;
  };
  const [x, y, z, f_dc_0, f_dc_1, f_dc_2, opacity, scale_0, scale_1, scale_2, rot_0, rot_1, rot_2, rot_3] =
    PROPERTIES
      .map(offset);
  return { x, y, z, f_dc_0, f_dc_1, f_dc_2, opacity, scale_0, scale_1, scale_2, rot_0, rot_1, rot_2, rot_3 };
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
