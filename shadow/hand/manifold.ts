/** Whether a skin is closed: every edge between two triangles that run along it in opposite directions. */
import type { SkinMesh, Triangle } from "./skin_mesh.ts";

/** An edge as its triangle runs along it. */
type Edge = readonly [number, number];

/** What is wrong with a skin that should be a closed two-manifold, or null. */
export function manifoldFault(mesh: SkinMesh): string | null {
  const doubled = doubledFault(mesh);
  if (doubled !== null) return doubled;
  const open = openEdges(mesh.triangles);
  if (open.length > 0) {
    return `its skin is open along ${open.length} edges, one at ${placeOf(mesh, open[0][0])}`;
  }
  const torn = tornVertex(mesh);
  return torn === null ? null : `its skin meets itself in a single point at ${placeOf(mesh, torn)}`;
}

/** Where triangles run along an edge in the same direction, in words, or null; a skin may be open for this. */
export function doubledFault(mesh: SkinMesh): string | null {
  const doubled = [...directedEdges(mesh.triangles).values()].find(({ count }) => count > 1);
  if (doubled === undefined) return null;
  const place = placeOf(mesh, doubled.edge[0]);
  return `more than two triangles meet, or two are turned against each other, at ${place}`;
}

/** The vertex loops that bound a skin's openings, each in the direction of `openEdges`. */
export function openLoops(triangles: readonly Triangle[]): number[][] {
  const next = new Map(openEdges(triangles));
  const loops: number[][] = [];
  while (next.size > 0) {
    const [start] = next.keys();
    const loop: number[] = [];
    for (let at: number | undefined = start; at !== undefined && next.has(at);) {
      loop.push(at);
      const following: number | undefined = next.get(at);
      next.delete(at);
      at = following;
    }
    loops.push(loop);
  }
  return loops;
}

/** A vertex' position, for messages. */
export function placeOf({ vertices }: SkinMesh, vertex: number): string {
  return `(${vertices[vertex].position.map((x) => x.toFixed(4)).join(", ")})`;
}

/** Edges with no neighbour on the other side, as the neighbour would run along them. */
function openEdges(triangles: readonly Triangle[]): Edge[] {
  const edges = directedEdges(triangles);
  return [...edges.values()]
    .filter(({ edge: [a, b] }) => !edges.has(edgeKey(b, a)))
    .map(({ edge: [a, b] }): Edge => [b, a]);
}

function directedEdges(triangles: readonly Triangle[]): Map<string, { edge: Edge; count: number }> {
  const edges = new Map<string, { edge: Edge; count: number }>();
  for (const [a, b, c] of triangles) {
    for (const edge of [[a, b], [b, c], [c, a]] as const) {
      const key = edgeKey(...edge);
      edges.set(key, { edge, count: (edges.get(key)?.count ?? 0) + 1 });
    }
  }
  return edges;
}

/** A vertex of a closed skin whose triangles make more than one fan. */
function tornVertex({ vertices, triangles }: SkinMesh): number | null {
  const rims = vertices.map(() => new Map<number, number>());
  for (const [a, b, c] of triangles) {
    rims[a].set(b, c);
    rims[b].set(c, a);
    rims[c].set(a, b);
  }
  const torn = rims.findIndex((rim) => {
    const [start] = rim.keys();
    let steps = 0;
    for (let at = start; steps === 0 || at !== start; steps++) at = rim.get(at) ?? start;
    return steps !== rim.size;
  });
  return torn < 0 ? null : torn;
}

function edgeKey(a: number, b: number): string {
  return `${a} ${b}`;
}
