/** Hands as line art: outlines, joint creases, and rings around the limbs that swell where it is dark. */
import { dot, subtract, unit, type Vector3 } from "../../env/vector3.ts";
import { FINGERS } from "../hand/controls.ts";
import { type HandModel, type JointCentres, SEGMENTS } from "../hand/hand_model.ts";
import type { StageCamera } from "./camera.ts";
import { FINENESS } from "./plate.ts";
import { vertexNormals } from "./vertex_normals.ts";
import { type Surface, visibleSurface } from "./visible_surface.ts";

/** A hand to draw. */
export interface Sitter {
  readonly model: HandModel;
  /** Posed, metres. [vertices, 3] */
  readonly skin: Float64Array;
}

/** What is engraved at a sample: paper, ink, or nothing where no hand is. */
export const ART = { paper: 0, ink: 1, clear: 2 } as const;

/** Draws hands as a parallel camera sees them: an `ART` a sample. [FINENESS · height, FINENESS · width] */
export function engraveHands(sitters: readonly Sitter[], camera: StageCamera): Uint8Array {
  const limbs = sitters.map((sitter) => limbOf(sitter, camera));
  const art = new Uint8Array(camera.width * camera.height * FINENESS * FINENESS).fill(ART.clear);
  const nearest = new Float32Array(art.length).fill(-Infinity);
  const owners = new Int8Array(art.length).fill(NOBODY);
  limbs.forEach((limb, owner) => {
    for (let at = 0; at < art.length; at++) {
      if (!(limb.surface.depths[at] > nearest[at]) || armShare(limb.model, restAt(limb, at)) > SLEEVE_END) {
        continue;
      }
      nearest[at] = limb.surface.depths[at];
      owners[at] = owner;
    }
  });
  for (let at = 0; at < art.length; at++) {
    if (owners[at] !== NOBODY) art[at] = isTone(limbs[owners[at]], at, camera) ? ART.ink : ART.paper;
  }
  drawOutlines(art, owners, nearest, camera.width * FINENESS);
  return art;
}

/** Positions that bound what is drawn of a hand: of the forearm, as far as the sleeve reaches. [points, 3] */
export function drawnSkin({ model, skin }: Sitter): Float64Array {
  const { positions } = model;
  return skin.filter((_, i) => {
    const vertex = i - i % 3;
    return armShare(model, [positions[vertex], positions[vertex + 1], positions[vertex + 2]]) <
      SLEEVE_END + BEYOND;
  });
}

const NOBODY = -1;

/** Metres at rest from one ring to the next, and half the width of a crease. */
const RING = 0.0045;
const CREASE = 0.0006;
/** Shares of the way from wrist to elbow where the shirt's cuff begins and the coat's sleeve. */
const CUFF = 0.5;
const SLEEVE = 0.62;
const SLEEVE_END = 0.84;
/** The vertices that bound the sleeve's end lie at most this share further. */
const BEYOND = 0.08;
/** Share of a ring that is ink: of a sleeve, and of skin by how dark it is. */
const CLOTH = 0.62;
const inkShare = (darkness: number) => Math.min(0.55, Math.max(0, 1.25 * (darkness - 0.42)));
/** Creases end where the skin turns away. */
const CREASE_FACING = 0.45;
/** Where the light comes from along the camera's axes. */
const LIGHT: Vector3 = unit([-0.6, 0.6, 0.55]);

interface Limb {
  readonly model: HandModel;
  readonly normals: Float64Array;
  readonly surface: Surface;
  readonly parts: readonly PartLines[];
}

/** How rings run around a part, by its number in `SEGMENTS`. */
interface PartLines {
  /** Rings are where a rest position's component along this is a multiple of `RING`. */
  readonly axis: Vector3;
  /** Components where the joints are. */
  readonly joints: readonly number[];
}

function limbOf({ model, skin }: Sitter, camera: StageCamera): Limb {
  return {
    model,
    normals: vertexNormals(skin, model.triangles),
    surface: visibleSurface(skin, model.triangles, camera, FINENESS),
    parts: partLines(model.joints),
  };
}

function partLines({ thumb, fingers }: JointCentres): PartLines[] {
  const alongThumb = unit(subtract(thumb[3], thumb[1]));
  const thumbLines = { axis: alongThumb, joints: [dot(alongThumb, thumb[2])] };
  return SEGMENTS.map((segment) => {
    if (segment === "thumb middle" || segment === "thumb tip") return thumbLines;
    const finger = FINGERS.find((name) => segment.startsWith(name));
    const joints = finger === undefined ? [] : [fingers[finger][2][1], fingers[finger][3][1]];
    return { axis: [0, 1, 0], joints };
  });
}

/** Whether a sample that shows this limb is ink, outlines aside. */
function isTone(
  limb: Limb,
  at: number,
  { right, up, toward }: StageCamera,
): boolean {
  const { model, normals, surface, parts } = limb;
  const rest = restAt(limb, at);
  const normal = unit(interpolate(normals, model.triangles, surface, at));
  const { axis, joints } = parts[model.segments[surface.triangles[at]]];
  const place = dot(rest, axis);
  const facing = dot(normal, toward);
  if (facing > CREASE_FACING && joints.some((joint) => Math.abs(place - joint) < CREASE)) return true;

  const arm = armShare(model, rest);
  const inRing = Math.abs(place / RING - Math.round(place / RING)) * 2;
  const lit = LIGHT[0] * dot(normal, right) + LIGHT[1] * dot(normal, up) + LIGHT[2] * facing;
  const darkness = 0.5 - 0.5 * lit;
  if (arm > SLEEVE) return inRing < CLOTH + 0.5 * darkness;
  if (arm > CUFF) return Math.min(arm - CUFF, SLEEVE - arm) * Math.hypot(...model.joints.elbow) < CREASE;
  return inRing < inkShare(darkness);
}

/** How far from wrist to elbow a place of the skin at rest is; the wrist is the origin. */
function armShare({ joints: { elbow } }: HandModel, rest: Vector3): number {
  return dot(rest, elbow) / dot(elbow, elbow);
}

function restAt({ model, surface }: Limb, at: number): Vector3 {
  return interpolate(model.positions, model.triangles, surface, at);
}

function interpolate(
  values: Float64Array,
  triangles: Uint32Array,
  { triangles: seen, weights }: Surface,
  at: number,
): Vector3 {
  const t = 3 * seen[at];
  const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
  const [wa, wb] = [weights[2 * at], weights[2 * at + 1]];
  const wc = 1 - wa - wb;
  const of = (k: number) => wa * values[a + k] + wb * values[b + k] + wc * values[c + k];
  return [of(0), of(1), of(2)];
}

/** Samples around an edge that are ink: around a hand, and where one part of a hand covers another. */
const OUTLINE = 2.6;
const INNER = 1.6;
/** Metres that a part lies behind another to get a line. */
const STEP = 0.005;

/** Inks what lies near an edge, on both sides of it. */
function drawOutlines(art: Uint8Array, owners: Int8Array, depths: Float32Array, width: number): void {
  const height = art.length / width;
  const stamp = (column: number, row: number, radius: number) => {
    const reach = Math.ceil(radius);
    for (let y = Math.max(0, row - reach); y <= Math.min(height - 1, row + reach); y++) {
      for (let x = Math.max(0, column - reach); x <= Math.min(width - 1, column + reach); x++) {
        if ((x - column) ** 2 + (y - row) ** 2 <= radius * radius) art[y * width + x] = ART.ink;
      }
    }
  };
  for (let row = 1; row < height - 1; row++) {
    for (let column = 1; column < width - 1; column++) {
      const at = row * width + column;
      if (owners[at] === NOBODY) continue;
      for (const step of [1, -1, width, -width]) {
        const other = at + step;
        if (owners[other] !== owners[at]) {
          if (depths[at] > depths[other]) stamp(column, row, OUTLINE);
          continue;
        }
        // A steep slope goes on as it began; a contour does not.
        const slope = owners[at - step] === owners[at] ? Math.max(0, depths[at - step] - depths[at]) : 0;
        if (depths[at] - depths[other] > STEP + slope) stamp(column, row, INNER);
      }
    }
  }
}
