// Adds up over views what each Gaussian contributes, from sums over the error image.
//
// Dispatch: ceil(count / 64). One invocation a Gaussian.
// sums           [count]
// contributions  [count]  in, out: sum of T alpha, sum of T alpha |d|
// Deterministic: invocations write disjoint Gaussians, views follow each other.

@group(0) @binding(0) var<storage, read> sums: array<SplatGradient>;
@group(0) @binding(1) var<storage, read_write> contributions: array<vec2f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&contributions)) {
    contributions[id.x] += sums[id.x].second.zw;
  }
}
