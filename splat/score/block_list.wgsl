// Lists the changed blocks of each picture pair in order, so that the kernels that measure them run on nothing else.
//
// Dispatch: one invocation a pair, [pairs / 32] groups of 32.
// Deterministic: each invocation walks the blocks of its pair in order.

@group(0) @binding(0) var<storage, read> grid: MetricGrid;
@group(0) @binding(1) var<storage, read> pairs: array<vec2u>;        // [pairs] view, photo
@group(0) @binding(2) var<storage, read> changed: array<u32>;        // [pairs, blocks] 0 or 1
@group(0) @binding(3) var<storage, read_write> lists: array<u32>;    // [pairs, 1 + blocks] how many, then which

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&pairs)) {
    return;
  }
  let blocks = grid.rows * grid.columns;
  let list = id.x * (1u + blocks);
  var count = 0u;
  for (var block = 0u; block < blocks; block++) {
    if (changed[id.x * blocks + block] != 0u) {
      count++;
      lists[list + count] = block;
    }
  }
  lists[list] = count;
}
