// Squared error and silhouette counts of each listed block of a picture pair:
//   squared_error = sum over pixels and channels of (render - photo)^2, which is 0 where the block is the photo exactly.
// Silhouette: 1 - min, 1 - mean or the length of 1 - color, above THRESHOLD; or 1 - transmittance above ALPHA_THRESHOLD.
//
// Dispatch: one invocation a place of the list, [blocks / 32, pairs] groups of 32.
// Deterministic: each invocation owns its block and sums it in row order.

override DISTANCE: u32;       // 0 min, 1 mean, 2 l2
override MASK_ALPHA: u32;     // 1: the render's silhouette comes from its transmittance
override THRESHOLD: f32;
override ALPHA_THRESHOLD: f32;

@group(0) @binding(0) var<storage, read> grid: MetricGrid;                  // size of pictures and block grid
@group(0) @binding(1) var<storage, read> pairs: array<vec2u>;               // [pairs] view, photo
@group(0) @binding(2) var<storage, read> rendered: array<vec4f>;            // [views, height, width] RGB, transmittance
@group(0) @binding(3) var<storage, read> photos: array<u32>;                // [photos, height, width] packed 8-bit
@group(0) @binding(4) var<storage, read> lists: array<u32>;                 // [pairs, 1 + blocks] how many, then which
@group(0) @binding(5) var<storage, read_write> sums: array<BlockSums>;      // [pairs, blocks] in the list's order

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let blocks = grid.rows * grid.columns;
  let list = id.y * (1u + blocks);
  if (id.x >= lists[list]) {
    return;
  }
  let block = lists[list + 1u + id.x];
  let pair = pairs[id.y];
  let size = grid.width * grid.height;
  let left = block % grid.columns * BLOCK_WIDTH;
  let right = min(left + BLOCK_WIDTH, grid.width);
  let top = block / grid.columns * BLOCK_HEIGHT;
  let bottom = min(top + BLOCK_HEIGHT, grid.height);
  var squared_error = 0f;
  var intersection = 0u;
  var either = 0u;
  for (var y = top; y < bottom; y++) {
    var row_error = 0f; // rows first, to keep float32 partial sums of like size
    for (var x = left; x < right; x++) {
      let pixel = y * grid.width + x;
      let render = rendered[pair.x * size + pixel];
      let photo = photos[pair.y * size + pixel];
      let difference = render.rgb - photo_color(photo);
      row_error += dot(difference, difference);
      let in_render = silhouette(render);
      let in_photo = photo >> 24u != 0u;
      intersection += u32(in_render && in_photo);
      either += u32(in_render || in_photo);
    }
    squared_error += row_error;
  }
  let place = id.y * blocks + id.x;
  sums[place].squaredError = squared_error;
  sums[place].intersection = intersection;
  sums[place].either = either;
}

fn silhouette(render: vec4f) -> bool {
  if (MASK_ALPHA == 1u) {
    return 1f - render.a > ALPHA_THRESHOLD;
  }
  let from_white = 1f - render.rgb;
  switch DISTANCE {
    case 0u: { return max(max(from_white.r, from_white.g), from_white.b) > THRESHOLD; }
    case 1u: { return (from_white.r + from_white.g + from_white.b) / 3f > THRESHOLD; }
    default: { return dot(from_white, from_white) > THRESHOLD * THRESHOLD; }
  }
}
