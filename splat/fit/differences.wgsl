// Sums of |d| and d^2 over each block of a picture, d = render - photo over all channels. Zero says that a block is equal.
//
// Dispatch: [columns / 8, rows / 4] groups of 8 x 4. One invocation a block of 4 x 32 pixels of one view.
// grid         sizes, view and photo
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
  let end = min(first + vec2u(BLOCK_WIDTH, BLOCK_HEIGHT), vec2u(grid.width, grid.height));
  var sum = vec2f();
  for (var y = first.y; y < end.y; y++) {
    for (var x = first.x; x < end.x; x++) {
      let at = y * grid.width + x;
      let photo = photo_color(photos[grid.photo * grid.width * grid.height + at]);
      let d = rendered[grid.view * grid.width * grid.height + at].rgb - photo;
      sum += vec2f(abs(d.x) + abs(d.y) + abs(d.z), dot(d, d));
    }
  }
  differences[(grid.view * grid.rows + id.y) * grid.columns + id.x] = sum;
}
