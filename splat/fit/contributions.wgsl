// Adds up over views what each Gaussian contributes, from sums over the error image.
//
// Dispatch: ceil(count / 64). One invocation a Gaussian.
// sums           [views, count]
// contributions  [count]  in, out: sum of T alpha, sum of T alpha |d|
// Deterministic: invocations write disjoint Gaussians, and add views in order.

@group(0) @binding(0) var<storage, read> sums: array<SplatGradient>;
@group(0) @binding(1) var<storage, read_write> contributions: array<vec2f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let count = arrayLength(&contributions);
  if (id.x >= count) {
    return;
  }
  for (var at = id.x; at < arrayLength(&sums); at += count) {
    contributions[id.x] += sums[at].second.zw;
  }
}
