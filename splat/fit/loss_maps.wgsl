// First half of the gradient of SSIM, with x the render, y the photo, B the window (zeros outside the picture):
//   mx = B x,  sx = B x^2 - mx^2,  sxy = B xy - mx my,  A1 = 2 mx my + C1,  A2 = 2 sxy + C2,
//   B1 = mx^2 + my^2 + C1,  B2 = sx + sy + C2,  S = A1 A2 / (B1 B2)
//   p2 = -S / B2,  p3 = 2 A1 / (B1 B2),  p1 = 2 my A2 / (B1 B2) - 2 mx S / B1 - 2 mx p2 - my p3
//   dS_total/dx = B p1 + 2 x B p2 + y B p3
// This kernel makes p1, p2, p3, blurs them down the columns, and sums 1 - S; loss_gradient.wgsl blurs along the rows and
// does the rest. x and y are taken less 1, in which variances keep their form, white is 0, and outside is -1.
//
// One invocation walks down a band of 4 columns: each row is blurred to the 4 columns at once, then added with its tap to
// the running sums of the windows that see it; each window that closes goes the same way into the running sums of p. A
// pixel is loaded once an invocation and nothing is stored in between. Where neither a band nor its apron differ from the
// photo, p changes nothing and nothing is computed.
//
// Dispatch: [columns / 8, bands / 4] groups of 8 x 4. One invocation a band of 4 x 64 pixels of one view.
// grid           sizes, view and photo
// rendered       [views, height, width]
// photos         [photos, height, width] packed 8-bit
// windows        [photos, height, columns, 6]  photo's window means less 1, then variances; by channel, 4 pixels each
// differences    [views, rows, columns]
// maps           [height, columns, 9]          out: blurred p1, p2, p3 by channel, 4 pixels each
// computed       [bands, columns]              out: whether the band's maps were written
// dissimilarity  [views, bands, columns]       out: 1 - S summed over pixels and channels
// Deterministic: each invocation owns its band and sums it in row order.

@group(0) @binding(0) var<storage, read> grid: LossGrid;
@group(0) @binding(1) var<storage, read> rendered: array<vec4f>;
@group(0) @binding(2) var<storage, read> photos: array<u32>;
@group(0) @binding(3) var<storage, read> windows: array<vec4f>;
@group(0) @binding(4) var<storage, read> differences: array<vec2f>;
@group(0) @binding(5) var<storage, read_write> maps: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> computed: array<u32>;
@group(0) @binding(7) var<storage, read_write> dissimilarity: array<f32>;

const BAND_HEIGHT = 64u;
// Blocks of the differences that a band covers.
const BAND_BLOCKS = BAND_HEIGHT / BLOCK_HEIGHT;
const C1 = 0.0001f;
const C2 = 0.0009f;

struct Pixel {
  x: vec3f,
  y: vec3f,
}

@compute @workgroup_size(8, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= grid.columns || id.y >= grid.bands) {
    return;
  }
  let left = i32(id.x * BLOCK_WIDTH);
  let top = i32(id.y * BAND_HEIGHT);
  let height = min(i32(BAND_HEIGHT), i32(grid.height) - top);
  let band = id.y * grid.columns + id.x;
  let needed = any_difference(id.xy);
  computed[band] = u32(needed);
  if (!needed) {
    dissimilarity[grid.view * grid.bands * grid.columns + band] = 0.0;
    return;
  }
  // Windows still open, the one that closes next first; then the same for blurred maps.
  var s1 = Nine();
  var s2 = Nine();
  var s3 = Nine();
  var s4 = Nine();
  var s5 = Nine();
  var s6 = Nine();
  var s7 = Nine();
  var s8 = Nine();
  var s9 = Nine();
  var s10 = Nine();
  var t1 = Nine();
  var t2 = Nine();
  var t3 = Nine();
  var t4 = Nine();
  var t5 = Nine();
  var t6 = Nine();
  var t7 = Nine();
  var t8 = Nine();
  var t9 = Nine();
  var t10 = Nine();
  var sum = 0f;
  for (var row = 0; row < height + 20; row++) {
    let m = row_moments(left, top + row - 10);
    var p = Nine();
    let closing = top + row - 15;
    if (row >= 10 && closing >= 0 && closing < i32(grid.height)) {
      let maps = close(id.x, closing, plus(s1, TAP_5, m));
      p = maps.p;
      sum += select(0.0, maps.lack, closing >= top && closing < top + height);
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
    if (row >= 20) {
      store((u32(top + row - 20) * grid.columns + id.x) * 9u, plus(t1, TAP_5, p));
    }
    t1 = plus(t2, TAP_4, p);
    t2 = plus(t3, TAP_3, p);
    t3 = plus(t4, TAP_2, p);
    t4 = plus(t5, TAP_1, p);
    t5 = plus(t6, TAP_0, p);
    t6 = plus(t7, TAP_1, p);
    t7 = plus(t8, TAP_2, p);
    t8 = plus(t9, TAP_3, p);
    t9 = plus(t10, TAP_4, p);
    t10 = plus(Nine(), TAP_5, p);
  }
  dissimilarity[grid.view * grid.bands * grid.columns + band] = sum;
}

// Whether any pixel that the band's maps depend on differs from its photo; NaN counts.
fn any_difference(band: vec2u) -> bool {
  let first = vec2u(max(band.x, 2u) - 2u, max(band.y * BAND_BLOCKS, 1u) - 1u);
  let last = min(vec2u(band.x + 2u, band.y * BAND_BLOCKS + BAND_BLOCKS), vec2u(grid.columns, grid.rows) - 1u);
  var equal = true;
  for (var y = first.y; y <= last.y; y++) {
    for (var x = first.x; x <= last.x; x++) {
      equal = equal && differences[(grid.view * grid.rows + y) * grid.columns + x].x == 0.0;
    }
  }
  return !equal;
}

// x, x^2 and x y of a row, blurred to the 4 columns from `left` on.
fn row_moments(left: i32, row: i32) -> Nine {
  let p0 = pixel(left - 5, row);
  let p1 = pixel(left - 4, row);
  let p2 = pixel(left - 3, row);
  let p3 = pixel(left - 2, row);
  let p4 = pixel(left - 1, row);
  let p5 = pixel(left, row);
  let p6 = pixel(left + 1, row);
  let p7 = pixel(left + 2, row);
  let p8 = pixel(left + 3, row);
  let p9 = pixel(left + 4, row);
  let p10 = pixel(left + 5, row);
  let p11 = pixel(left + 6, row);
  let p12 = pixel(left + 7, row);
  let p13 = pixel(left + 8, row);
  let x = Row(
    p0.x,
    transpose(mat4x3f(p1.x, p2.x, p3.x, p4.x)),
    transpose(mat4x3f(p5.x, p6.x, p7.x, p8.x)),
    transpose(mat4x3f(p9.x, p10.x, p11.x, p12.x)),
    p13.x,
  );
  let y = Row(
    p0.y,
    transpose(mat4x3f(p1.y, p2.y, p3.y, p4.y)),
    transpose(mat4x3f(p5.y, p6.y, p7.y, p8.y)),
    transpose(mat4x3f(p9.y, p10.y, p11.y, p12.y)),
    p13.y,
  );
  return Nine(blur_row(x), blur_row(product(x, x)), blur_row(product(x, y)));
}

fn product(a: Row, b: Row) -> Row {
  return Row(
    a.first * b.first,
    by_channel(a.left, b.left),
    by_channel(a.middle, b.middle),
    by_channel(a.right, b.right),
    a.last * b.last,
  );
}

fn by_channel(a: mat3x4f, b: mat3x4f) -> mat3x4f {
  return mat3x4f(a[0] * b[0], a[1] * b[1], a[2] * b[2]);
}

fn pixel(x: i32, y: i32) -> Pixel {
  let size = vec2i(i32(grid.width), i32(grid.height));
  let inside = clamp(vec2i(x, y), vec2i(0), size - 1);
  let at = u32(inside.y * size.x + inside.x);
  let pixels = grid.width * grid.height;
  let black = x != inside.x || y != inside.y;
  let render = rendered[grid.view * pixels + at].rgb - 1.0;
  let photo = photo_color(photos[grid.photo * pixels + at]) - 1.0;
  return Pixel(select(render, vec3f(-1.0), black), select(photo, vec3f(-1.0), black));
}

// Maps of 4 windows and their sum of 1 - S.
struct Closed {
  p: Nine,
  lack: f32,
}

fn close(column: u32, y: i32, m: Nine) -> Closed {
  let window = ((grid.photo * grid.height + u32(y)) * grid.columns + column) * 6u;
  let counted = vec4u(0u, 1u, 2u, 3u) + column * BLOCK_WIDTH < vec4u(grid.width);
  let red = window_maps(m.a[0], m.b[0], m.c[0], windows[window], windows[window + 3u], counted);
  let green = window_maps(m.a[1], m.b[1], m.c[1], windows[window + 1u], windows[window + 4u], counted);
  let blue = window_maps(m.a[2], m.b[2], m.c[2], windows[window + 2u], windows[window + 5u], counted);
  let lack = red.lack + green.lack + blue.lack;
  return Closed(
    Nine(
      mat3x4f(red.p1, green.p1, blue.p1),
      mat3x4f(red.p2, green.p2, blue.p2),
      mat3x4f(red.p3, green.p3, blue.p3),
    ),
    (lack.x + lack.y) + (lack.z + lack.w),
  );
}

// Four windows of one channel.
struct Maps {
  p1: vec4f,
  p2: vec4f,
  p3: vec4f,
  lack: vec4f,
}

// Means less 1, mean squares and products of render and photo, the photo's mean less 1 and variance.
fn window_maps(x: vec4f, xx: vec4f, xy: vec4f, y: vec4f, sy: vec4f, counted: vec4<bool>) -> Maps {
  let mx = x + 1.0;
  let my = y + 1.0;
  let a1 = 2.0 * mx * my + C1;
  let a2 = 2.0 * (xy - x * y) + C2;
  let b1 = 1.0 / (mx * mx + my * my + C1);
  let b2 = 1.0 / (xx - x * x + sy + C2);
  let s = a1 * a2 * b1 * b2;
  let p2 = -s * b2;
  let p3 = 2.0 * a1 * b1 * b2;
  let p1 = 2.0 * my * a2 * b1 * b2 - 2.0 * mx * s * b1 - 2.0 * x * p2 - y * p3;
  let none = vec4f();
  return Maps(
    select(none, p1, counted),
    select(none, p2, counted),
    select(none, p3, counted),
    select(none, 1.0 - s, counted),
  );
}

fn store(at: u32, p: Nine) {
  maps[at + 0u] = p.a[0];
  maps[at + 1u] = p.a[1];
  maps[at + 2u] = p.a[2];
  maps[at + 3u] = p.b[0];
  maps[at + 4u] = p.b[1];
  maps[at + 5u] = p.b[2];
  maps[at + 6u] = p.c[0];
  maps[at + 7u] = p.c[1];
  maps[at + 8u] = p.c[2];
}
