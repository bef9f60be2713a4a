// Sums the blocks of each picture pair.
//
// Dispatch: one invocation a pair, [pairs / 32] groups of 32.
// Deterministic: each invocation sums the blocks of its pair in order, rows of blocks first, to keep float32 partial sums
// of like size.

@group(0) @binding(0) var<storage, read> grid: MetricGrid;
@group(0) @binding(1) var<storage, read> differences: array<BlockDifference>; // [pairs, rows, columns]
@group(0) @binding(2) var<storage, read> dissimilarity: array<f32>;           // [pairs, rows, columns]
@group(0) @binding(3) var<storage, read_write> sums: array<ViewSums>;         // [pairs]

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&sums)) {
    return;
  }
  var total = ViewSums(0f, 0f, 0u, 0u);
  for (var y = 0u; y < grid.rows; y++) {
    var squared_error = 0f;
    var dissimilar = 0f;
    for (var x = 0u; x < grid.columns; x++) {
      let block = (id.x * grid.rows + y) * grid.columns + x;
      let difference = differences[block];
      squared_error += difference.squaredError;
      dissimilar += dissimilarity[block];
      total.intersection += difference.intersection;
      total.either += difference.either;
    }
    total.squaredError += squared_error;
    total.dissimilarity += dissimilar;
  }
  sums[id.x] = total;
}
