// Sums of |d| and d^2 over each block of a picture, d = render - photo over all channels. Zero says that a block is equal.
//
// Dispatch: [columns / 8, rows / 4, views] groups of 8 x 4. One invocation a block of 4 x 32 pixels.
// grid         sizes, view and photo of the first
// rendered     [views, height, width]
// photos       [photos, height, width] packed 8-bit
// differences  [views, rows, columns]  out
// Deterministic: each invocation sums its own block in row order.

@group(0) @binding(0) var<storage, read> grid: LossGrid;
@group(0) @binding(1) var<storage, read> rendered: array<vec4f>;
@group(0) @binding(2) var<storage, read> photos: array<u32>;
@group(0) @binding(3) var<storage, read_write> differences: array<vec2f>;

@compute @workgroup_size(8, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= grid.columns || id.y >= grid.rows) {
    return;
  }
  let first = vec2u(BLOCK_WIDTH, BLOCK_HEIGHT) * id.xy;
  let end = min(first.y + BLOCK_HEIGHT, grid.height);
  var sum = vec2f();
  for (var y = first.y; y < end; y++) {
    sum += (pixel(id.z, first.x, y) + pixel(id.z, first.x + 1u, y)) + (pixel(id.z, first.x + 2u, y) + pixel(id.z, first.x + 3u, y));
  }
  differences[((grid.view + id.z) * grid.rows + id.y) * grid.columns + id.x] = sum;
}

fn pixel(view: u32, x: u32, y: u32) -> vec2f {
  let pixels = grid.width * grid.height;
  let at = y * grid.width + min(x, grid.width - 1u);
  let d = rendered[(grid.view + view) * pixels + at].rgb - photo_color(photos[(grid.photo + view) * pixels + at]);
  return select(vec2f(), vec2f(abs(d.x) + abs(d.y) + abs(d.z), dot(d, d)), x < grid.width);
}
