/** A skin while it is being made. `load_hand.ts` packs it into a `HandModel`. */
import { cross, dot, type Vector3 } from "../../env/vector3.ts";

/** How much each bone of `bones.ts` carries. */
export type Weights = ReadonlyMap<number, number>;

export interface SkinVertex {
  readonly position: Vector3;
  readonly weights: Weights;
}

/** Three vertices, counter-clockwise from outside. */
export type Triangle = readonly [number, number, number];

export interface SkinMesh {
  readonly vertices: readonly SkinVertex[];
  readonly triangles: readonly Triangle[];
}

/** The triangles that `keep` and the vertices they use. */
export function keepTriangles(mesh: SkinMesh, keep: (triangle: Triangle) => boolean): SkinMesh {
  const kept = mesh.triangles.filter(keep);
  const used = [...new Set(kept.flat())].sort((a, b) => a - b);
  const renumbered = new Map(used.map((old, i) => [old, i]));
  const renumber = (old: number) => renumbered.get(old) ?? 0;
  return {
    vertices: used.map((old) => mesh.vertices[old]),
    triangles: kept.map(([a, b, c]) => [renumber(a), renumber(b), renumber(c)]),
  };
}

/**
 * Makes vertices at exactly one place (files split them along seams of normals and texture) one vertex, which keeps the
 * first's weights, and drops triangles that this flattens.
 */
export function weld({ vertices, triangles }: SkinMesh): SkinMesh {
  const places = new Map<string, number>();
  const welded: SkinVertex[] = [];
  const place = vertices.map((vertex) => {
    const key = vertex.position.join();
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, welded.length);
    return welded.push(vertex) - 1;
  });
  const renumbered = triangles.map(([a, b, c]): Triangle => [place[a], place[b], place[c]]);
  return keepTriangles(
    { vertices: welded, triangles: renumbered },
    ([a, b, c]) => a !== b && b !== c && c !== a,
  );
}

/** Cubic metres that the triangles enclose; positive when they look outward. */
export function signedVolume({ vertices, triangles }: SkinMesh): number {
  return triangles.reduce((sum, corners) => {
    const [a, b, c] = corners.map((i) => vertices[i].position);
    return sum + dot(a, cross(b, c)) / 6;
  }, 0);
}
