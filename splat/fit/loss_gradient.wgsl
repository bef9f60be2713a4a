// Gradient of the loss by each pixel, with d = render - photo and p1, p2, p3 of loss_maps.wgsl:
//   g = l1 sign(d) + 2 l2 d - dssim (B p1 + 2 x B p2 + y B p3)
// where the three weights are already divided by the number of values. Beside it g . (pixel - background), where the
// walk of rasterize_backward.wgsl begins.
//
// Dispatch: [columns / 8, rows / 4] groups of 8 x 4. One invocation a block of 4 x 32 pixels of one view.
// grid         sizes, view and photo, weights
// rendered     [views, height, width]
// photos       [photos, height, width] packed 8-bit
// differences  [views, rows, columns]
// maps         [height, columns, 9]
// upstream     [height, width]  out
// Deterministic: each invocation owns its pixels.

override background_red: f32;
override background_green: f32;
override background_blue: f32;

@group(0) @binding(0) var<storage, read> grid: LossGrid;
@group(0) @binding(1) var<storage, read> rendered: array<vec4f>;
@group(0) @binding(2) var<storage, read> photos: array<u32>;
@group(0) @binding(3) var<storage, read> differences: array<vec2f>;
@group(0) @binding(4) var<storage, read> maps: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> upstream: array<vec4f>;

@compute @workgroup_size(8, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= grid.columns || id.y >= grid.rows) {
    return;
  }
  let top = i32(id.y * BLOCK_HEIGHT);
  let height = min(i32(BLOCK_HEIGHT), i32(grid.height) - top);
  let smooth_only = !(grid.dssim > 0.0);
  // p is not 0 up to 5 pixels from a difference, and its blur 5 more.
  if (smooth_only || !any_difference(id.xy, 3u)) {
    for (var row = 0; row < height; row++) {
      store(id, top + row, Nine());
    }
    return;
  }
  var s1 = Nine(); // windows still open, the one that closes next first
  var s2 = Nine();
  var s3 = Nine();
  var s4 = Nine();
  var s5 = Nine();
  var s6 = Nine();
  var s7 = Nine();
  var s8 = Nine();
  var s9 = Nine();
  var s10 = Nine();
  for (var row = 0; row < height + 10; row++) {
    let m = row_maps(id, top + row - 5);
    if (row >= 10) {
      store(id, top + row - 10, plus(s1, TAP_5, m));
    }
    s1 = plus(s2, TAP_4, m);
    s2 = plus(s3, TAP_3, m);
    s3 = plus(s4, TAP_2, m);
    s4 = plus(s5, TAP_1, m);
    s5 = plus(s6, TAP_0, m);
    s6 = plus(s7, TAP_1, m);
    s7 = plus(s8, TAP_2, m);
    s8 = plus(s9, TAP_3, m);
    s9 = plus(s10, TAP_4, m);
    s10 = plus(Nine(), TAP_5, m);
  }
}

// One row of the maps, blurred to the 4 columns of the block; zeros outside the picture.
fn row_maps(id: vec3u, y: i32) -> Nine {
  if (y < 0 || y >= i32(grid.height)) {
    return Nine();
  }
  let row = u32(y) * grid.columns;
  let column = i32(id.x);
  return Nine(
    mat3x4f(blur_map(row, column, 0u), blur_map(row, column, 1u), blur_map(row, column, 2u)),
    mat3x4f(blur_map(row, column, 3u), blur_map(row, column, 4u), blur_map(row, column, 5u)),
    mat3x4f(blur_map(row, column, 6u), blur_map(row, column, 7u), blur_map(row, column, 8u)),
  );
}

fn blur_map(row: u32, column: i32, quantity: u32) -> vec4f {
  return blur(
    strip(row, column - 2, quantity).w,
    strip(row, column - 1, quantity),
    strip(row, column, quantity),
    strip(row, column + 1, quantity),
    strip(row, column + 2, quantity).x,
  );
}

fn strip(row: u32, column: i32, quantity: u32) -> vec4f {
  let inside = clamp(column, 0, i32(grid.columns) - 1);
  return select(vec4f(), maps[(row + u32(inside)) * 9u + quantity], inside == column);
}

fn store(id: vec3u, y: i32, p: Nine) {
  let p1 = transpose(p.a);
  let p2 = transpose(p.b);
  let p3 = transpose(p.c);
  let x = id.x * BLOCK_WIDTH;
  store_pixel(x, u32(y), p1[0], p2[0], p3[0]);
  store_pixel(x + 1u, u32(y), p1[1], p2[1], p3[1]);
  store_pixel(x + 2u, u32(y), p1[2], p2[2], p3[2]);
  store_pixel(x + 3u, u32(y), p1[3], p2[3], p3[3]);
}

fn store_pixel(x: u32, y: u32, p1: vec3f, p2: vec3f, p3: vec3f) {
  if (x >= grid.width) {
    return;
  }
  let pixels = grid.width * grid.height;
  let at = y * grid.width + x;
  let render = rendered[grid.view * pixels + at].rgb;
  let photo = photo_color(photos[grid.photo * pixels + at]);
  let d = render - photo;
  let similarity = p1 + 2.0 * (render - 1.0) * p2 + (photo - 1.0) * p3;
  let g = grid.l1 * sign(d) + 2.0 * grid.l2 * d - grid.dssim * similarity;
  let background = vec3f(background_red, background_green, background_blue);
  upstream[at] = vec4f(g, dot(g, render - background));
}
