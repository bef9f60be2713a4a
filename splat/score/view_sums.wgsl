// Sums the blocks of each picture pair: those of the list as they were measured, all others as they are wherever a view
// shows nothing but background.
//
// Dispatch: one invocation a pair, [pairs / 32] groups of 32.
// Deterministic: each invocation sums the blocks of its pair in order, rows of blocks first, to keep float32 partial sums
// of like size.

@group(0) @binding(0) var<storage, read> grid: MetricGrid;
@group(0) @binding(1) var<storage, read> pairs: array<vec2u>;             // [pairs] view, photo
@group(0) @binding(2) var<storage, read> lists: array<u32>;               // [pairs, 1 + blocks] how many, then which
@group(0) @binding(3) var<storage, read> measured: array<BlockSums>;      // [pairs, blocks] in the list's order
@group(0) @binding(4) var<storage, read> blank: array<BlockSums>;         // [photos, blocks] background and photo
@group(0) @binding(5) var<storage, read_write> sums: array<BlockSums>;    // [pairs] whole pictures

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&sums)) {
    return;
  }
  let blocks = grid.rows * grid.columns;
  let list = id.x * (1u + blocks);
  var place = 0u; // in the list
  var total = BlockSums();
  for (var y = 0u; y < grid.rows; y++) {
    var row = BlockSums();
    for (var x = 0u; x < grid.columns; x++) {
      let block = y * grid.columns + x;
      if (place < lists[list] && lists[list + 1u + place] == block) {
        row = plus(row, measured[id.x * blocks + place]);
        place++;
      } else {
        row = plus(row, blank[pairs[id.x].y * blocks + block]);
      }
    }
    total = plus(total, row);
  }
  sums[id.x] = total;
}

fn plus(a: BlockSums, b: BlockSums) -> BlockSums {
  return BlockSums(
    a.squaredError + b.squaredError,
    a.dissimilarity + b.dissimilarity,
    a.intersection + b.intersection,
    a.either + b.either,
  );
}
