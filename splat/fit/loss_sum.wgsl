// The loss of a step from the sums of its blocks and bands, kept until the host reads it; then counts the step.
//
// Dispatch: 1. One workgroup.
// grid           sizes, weights
// differences    [views, rows, columns]
// dissimilarity  [views, 3, bands, bands across]
// losses         [period]  out, at the step's place
// clock          [1]       in, out
// Deterministic: lanes add their blocks in order, the first adds the lanes in order.

@group(0) @binding(0) var<storage, read> grid: LossGrid;
@group(0) @binding(1) var<storage, read> differences: array<vec2f>;
@group(0) @binding(2) var<storage, read> dissimilarity: array<f32>;
@group(0) @binding(3) var<storage, read_write> losses: array<f32>;
@group(0) @binding(4) var<storage, read_write> clock: array<u32>;

var<workgroup> parts: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
  var sum = 0f;
  for (var block = lane; block < arrayLength(&differences); block += 64u) {
    sum += grid.l1 * differences[block].x + grid.l2 * differences[block].y;
  }
  for (var band = lane; band < arrayLength(&dissimilarity); band += 64u) {
    sum += grid.dssim * dissimilarity[band];
  }
  parts[lane] = sum;
  workgroupBarrier();
  if (lane == 0u) {
    var all = 0f;
    for (var k = 0u; k < 64u; k++) {
      all += parts[k];
    }
    losses[clock[0] % arrayLength(&losses)] = all;
    clock[0] += 1u;
  }
}
