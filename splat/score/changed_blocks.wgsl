// Which blocks of each picture pair can differ from the background against the same photo: those that a window reaches
// from a drawn tile.
//
// Dispatch: one invocation a block, [columns / 8, rows / 8, pairs] groups of 8 x 8.
// Deterministic: each invocation owns its block.

override TILE_WIDTH: u32;
override TILE_HEIGHT: u32;
override DRAWN: u32;          // state of a tile that is not background
override RADIUS: u32;         // of the SSIM window

@group(0) @binding(0) var<storage, read> grid: MetricGrid;             // size of pictures and block grid
@group(0) @binding(1) var<storage, read> pairs: array<vec2u>;          // [pairs] view, photo
@group(0) @binding(2) var<storage, read> states: array<u32>;           // [views, tile rows, tile columns]
@group(0) @binding(3) var<storage, read_write> changed: array<u32>;    // [pairs, rows, columns] 0 or 1

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= grid.columns || id.y >= grid.rows) {
    return;
  }
  let size = vec2u(grid.width, grid.height);
  let tile = vec2u(TILE_WIDTH, TILE_HEIGHT);
  let tiles = (size + tile - 1u) / tile;
  let first = id.xy * vec2u(BLOCK_WIDTH, BLOCK_HEIGHT);
  let end = first + vec2u(BLOCK_WIDTH, BLOCK_HEIGHT) + RADIUS;
  // Pixels mirrored at an edge lie no further inside than the window reaches outside.
  let start = (max(first, vec2u(RADIUS)) - RADIUS) / tile;
  let last = (min(end, size) - 1u) / tile;
  var any = 0u;
  for (var y = start.y; y <= last.y; y++) {
    for (var x = start.x; x <= last.x; x++) {
      any |= u32(states[(pairs[id.z].x * tiles.y + y) * tiles.x + x] == DRAWN);
    }
  }
  changed[(id.z * grid.rows + id.y) * grid.columns + id.x] = any;
}
