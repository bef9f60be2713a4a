// LPIPS of each pair: the sum of its partial sums.
//
// Dispatch: one group of 64 a pair, [pairs] groups.
// Deterministic: each invocation sums every 64th partial in order, the first one adds up the 64 sums in order.

@group(0) @binding(0) var<storage, read> partials: array<f32>;          // [pairs, planes of all taps]
@group(0) @binding(1) var<storage, read_write> distances: array<f32>;   // [pairs]

var<workgroup> sums: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let count = arrayLength(&partials) / arrayLength(&distances);
  var sum = 0f;
  for (var at = lane; at < count; at += 64u) {
    sum += partials[group.x * count + at];
  }
  sums[lane] = sum;
  workgroupBarrier();
  if (lane == 0u) {
    var total = 0f;
    for (var at = 0u; at < 64u; at++) {
      total += sums[at];
    }
    distances[group.x] = total;
  }
}
