// Sorts each view's splats front to back. A splat's place is its rank: how many come before it, that is, have a smaller
// key, or the same key and a smaller index. Quadratic, but without a barrier, and a scene has at most a few hundred.
//
// Dispatch: (ceil(slots / 64), views). One invocation a (view, Gaussian).
// frame   [1]             sizes
// views   [views]         job table
// depths  [views, slots]  sort keys as double-float, never NaN
// splats  [views, slots]  in scene order
// sorted  [views, slots]  out
// Deterministic: ranks are a permutation, so invocations write disjoint slots.

@group(0) @binding(0) var<storage, read> frame: array<Frame>;
@group(0) @binding(1) var<storage, read> views: array<View>;
@group(0) @binding(2) var<storage, read> depths: array<vec2f>;
@group(0) @binding(3) var<storage, read> splats: array<Splat>;
@group(0) @binding(4) var<storage, read_write> sorted: array<Splat>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let count = views[id.y].count;
  if (id.x >= count) {
    return;
  }
  let first = id.y * frame[0].slots;
  let key = depths[first + id.x];
  var rank = 0u;
  for (var other = 0u; other < count; other++) {
    let depth = depths[first + other];
    let nearer = depth.x < key.x || (depth.x == key.x && depth.y < key.y);
    let equal = depth.x == key.x && depth.y == key.y;
    rank += select(0u, 1u, nearer || (equal && other < id.x));
  }
  sorted[first + rank] = splats[first + id.x];
}
