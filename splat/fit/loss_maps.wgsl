// First half of the gradient of SSIM, with x the render, y the photo, B the window (zeros outside the picture):
//   mx = B x,  sx = B x^2 - mx^2,  sxy = B xy - mx my,  A1 = 2 mx my + C1,  A2 = 2 sxy + C2,
//   B1 = mx^2 + my^2 + C1,  B2 = sx + sy + C2,  S = A1 A2 / (B1 B2)
//   p2 = -S / B2,  p3 = 2 A1 / (B1 B2),  p1 = 2 my A2 / (B1 B2) - 2 mx S / B1 - 2 mx p2 - my p3
//   dS_total/dx = B p1 + 2 x B p2 + y B p3
// This kernel makes p1, p2, p3 and 1 - S; loss_gradient.wgsl the rest. x and y are taken less 1, in which variances keep
// their form, white is 0, and outside is -1; a window in which both are equal has p = 0 for all that this changes.
//
// One invocation walks down a block of 4 columns, as splat/score/ssim.wgsl does.
//
// Dispatch: [columns / 8, rows / 4, views] groups of 8 x 4. One invocation a block of 4 x 32 pixels.
// grid           sizes, first photo
// rendered       [views, height, width]
// photos         [photos, height, width] packed 8-bit
// windows        [photos, height, columns, 6]  photo's window means less 1, then variances; by channel, 4 pixels each
// differences    [views, rows, columns]
// maps           [views, height, columns, 9]   out: p1, p2, p3 by channel, 4 pixels each
// dissimilarity  [views, rows, columns]        out: 1 - S summed over pixels and channels
// Deterministic: each invocation owns its block and sums it in row order.

@group(0) @binding(0) var<storage, read> grid: LossGrid;
@group(0) @binding(1) var<storage, read> rendered: array<vec4f>;
@group(0) @binding(2) var<storage, read> photos: array<u32>;
@group(0) @binding(3) var<storage, read> windows: array<vec4f>;
@group(0) @binding(4) var<storage, read> differences: array<vec2f>;
@group(0) @binding(5) var<storage, read_write> maps: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> dissimilarity: array<f32>;

const C1 = 0.0001f;
const C2 = 0.0009f;

struct Pixel {
  x: vec3f,
  y: vec3f,
}

@compute @workgroup_size(8, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= grid.columns || id.y >= grid.rows) {
    return;
  }
  let left = i32(id.x * BLOCK_WIDTH);
  let top = i32(id.y * BLOCK_HEIGHT);
  let height = min(i32(BLOCK_HEIGHT), i32(grid.height) - top);
  let block = (id.z * grid.rows + id.y) * grid.columns + id.x;
  if (!any_difference(id, 2u)) {
    dissimilarity[block] = 0.0;
    for (var row = 0; row < height; row++) {
      store(map_index(id, top + row), Nine());
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
  var sum = 0f;
  for (var row = 0; row < height + 10; row++) {
    let m = row_moments(id.z, left, top + row - 5);
    if (row >= 10) {
      sum += close(id, top + row - 10, plus(s1, TAP_5, m));
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
  dissimilarity[block] = sum;
}

// x, x^2 and x y of a row, blurred to the 4 columns from `left` on.
fn row_moments(view: u32, left: i32, y: i32) -> Nine {
  let p0 = pixel(view, left - 5, y);
  let p1 = pixel(view, left - 4, y);
  let p2 = pixel(view, left - 3, y);
  let p3 = pixel(view, left - 2, y);
  let p4 = pixel(view, left - 1, y);
  let p5 = pixel(view, left, y);
  let p6 = pixel(view, left + 1, y);
  let p7 = pixel(view, left + 2, y);
  let p8 = pixel(view, left + 3, y);
  let p9 = pixel(view, left + 4, y);
  let p10 = pixel(view, left + 5, y);
  let p11 = pixel(view, left + 6, y);
  let p12 = pixel(view, left + 7, y);
  let p13 = pixel(view, left + 8, y);
  var moments = Nine();
  for (var c = 0; c < 3; c++) {
    let x0 = p0.x[c];
    let x1 = vec4f(p1.x[c], p2.x[c], p3.x[c], p4.x[c]);
    let x2 = vec4f(p5.x[c], p6.x[c], p7.x[c], p8.x[c]);
    let x3 = vec4f(p9.x[c], p10.x[c], p11.x[c], p12.x[c]);
    let x4 = p13.x[c];
    let y0 = p0.y[c];
    let y1 = vec4f(p1.y[c], p2.y[c], p3.y[c], p4.y[c]);
    let y2 = vec4f(p5.y[c], p6.y[c], p7.y[c], p8.y[c]);
    let y3 = vec4f(p9.y[c], p10.y[c], p11.y[c], p12.y[c]);
    let y4 = p13.y[c];
    moments.a[c] = blur(x0, x1, x2, x3, x4);
    moments.b[c] = blur(x0 * x0, x1 * x1, x2 * x2, x3 * x3, x4 * x4);
    moments.c[c] = blur(x0 * y0, x1 * y1, x2 * y2, x3 * y3, x4 * y4);
  }
  return moments;
}

fn pixel(view: u32, x: i32, y: i32) -> Pixel {
  let size = vec2i(i32(grid.width), i32(grid.height));
  let inside = clamp(vec2i(x, y), vec2i(0), size - 1);
  let at = u32(inside.y * size.x + inside.x);
  let pixels = grid.width * grid.height;
  let black = x != inside.x || y != inside.y;
  let render = rendered[view * pixels + at].rgb - 1.0;
  let photo = photo_color(photos[(grid.photo + view) * pixels + at]) - 1.0;
  return Pixel(select(render, vec3f(-1.0), black), select(photo, vec3f(-1.0), black));
}

// Stores the maps of 4 windows and returns their sum of 1 - S.
fn close(id: vec3u, y: i32, m: Nine) -> f32 {
  let window = (((grid.photo + id.z) * grid.height + u32(y)) * grid.columns + id.x) * 6u;
  let x = vec4u(0u, 1u, 2u, 3u) + id.x * BLOCK_WIDTH;
  let counted = x < vec4u(grid.width);
  var p = Nine();
  var sum = 0f;
  for (var c = 0u; c < 3u; c++) {
    let x_less = m.a[c];
    let y_less = windows[window + c];
    let mx = x_less + 1.0;
    let my = y_less + 1.0;
    let sx = m.b[c] - x_less * x_less;
    let sxy = m.c[c] - x_less * y_less;
    let a1 = 2.0 * mx * my + C1;
    let a2 = 2.0 * sxy + C2;
    let b1 = 1.0 / (mx * mx + my * my + C1);
    let b2 = 1.0 / (sx + windows[window + 3u + c] + C2);
    let s = a1 * a2 * b1 * b2;
    let p2 = -s * b2;
    let p3 = 2.0 * a1 * b1 * b2;
    let p1 = 2.0 * my * a2 * b1 * b2 - 2.0 * mx * s * b1 - 2.0 * x_less * p2 - y_less * p3;
    p.a[c] = select(vec4f(), p1, counted);
    p.b[c] = select(vec4f(), p2, counted);
    p.c[c] = select(vec4f(), p3, counted);
    let lack = select(vec4f(), 1.0 - s, counted);
    sum += (lack.x + lack.y) + (lack.z + lack.w);
  }
  store(map_index(id, y), p);
  return sum;
}

fn map_index(id: vec3u, y: i32) -> u32 {
  return ((id.z * grid.height + u32(y)) * grid.columns + id.x) * 9u;
}

fn store(at: u32, p: Nine) {
  for (var c = 0u; c < 3u; c++) {
    maps[at + c] = p.a[c];
    maps[at + 3u + c] = p.b[c];
    maps[at + 6u + c] = p.c[c];
  }
}
