/** Contacts of skin by three-mesh-bvh's trees and triangle test, with the rules for what may touch written again. */
import { BufferAttribute, BufferGeometry, Matrix4 } from "three";
import { MeshBVH } from "three-mesh-bvh";
import { JOINED, REST_CLOSE, WEB_CLOSE } from "../../shadow/collision/contact_mesh.ts";
import { FINGERS } from "../../shadow/hand/controls.ts";
import { type HandModel, type Hands, SEGMENTS } from "../../shadow/hand/hand_model.ts";
import { skinHand } from "../../shadow/hand/skin.ts";
import type { Pose } from "../../shadow/pose.ts";

const HERE = new Matrix4();

export interface SkinContacts {
  /** Whether the hand meets itself. */
  right: boolean;
  left: boolean;
  /** Whether the hands meet. */
  hands: boolean;
}

export function skinContacts(hands: Hands, pose: Pose): SkinContacts {
  const right = treeOf(hands.right, skinHand(hands.right, pose.right));
  const left = treeOf(hands.left, skinHand(hands.left, pose.left));
  return {
    right: meetsItself(hands.right, right),
    left: meetsItself(hands.left, left),
    hands: meet(right, left, () => false),
  };
}

/** The least distance between the hands' skins, metres. */
export function skinDistance(hands: Hands, pose: Pose): number {
  const right = treeOf(hands.right, skinHand(hands.right, pose.right));
  const left = treeOf(hands.left, skinHand(hands.left, pose.left));
  left.geometry.boundsTree = left;
  return right.closestPointToGeometry(left.geometry, HERE)?.distance ?? Infinity;
}

function treeOf(model: HandModel, positions: Float64Array): MeshBVH {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(model.triangles.slice(), 1));
  // The triangles keep their order, and what the callbacks receive must be looked up (its issue 806).
  return new MeshBVH(geometry, { indirect: true });
}

function meetsItself(model: HandModel, tree: MeshBVH): boolean {
  return meet(
    tree,
    tree,
    (a, b) => mayTouch(model, tree.resolveTriangleIndex(a), tree.resolveTriangleIndex(b)),
  );
}

function meet(a: MeshBVH, b: MeshBVH, ignored: (a: number, b: number) => boolean): boolean {
  return a.bvhcast(b, HERE, {
    intersectsTriangles: (s, t, i, j) => !ignored(i, j) && s.intersectsTriangle(t),
  });
}

function mayTouch(model: HandModel, a: number, b: number): boolean {
  const [p, q] = [SEGMENTS[model.segments[a]], SEGMENTS[model.segments[b]]];
  if (p === q || JOINED.some(([i, j]) => (i === p && j === q) || (i === q && j === p))) return true;
  const bases = FINGERS.map((finger): string => `${finger} base`);
  const [i, j] = [bases.indexOf(p), bases.indexOf(q)];
  const least = i >= 0 && j >= 0 && Math.abs(i - j) === 1 ? WEB_CLOSE : REST_CLOSE;
  return corners(model, a).some((u) => corners(model, b).some((v) => distance(u, v) < least));
}

function corners(model: HandModel, triangle: number): Float64Array[] {
  return [...model.triangles.subarray(3 * triangle, 3 * triangle + 3)].map((vertex) =>
    model.positions.subarray(3 * vertex, 3 * vertex + 3)
  );
}

function distance(u: Float64Array, v: Float64Array): number {
  return Math.hypot(u[0] - v[0], u[1] - v[1], u[2] - v[2]);
}
