// First half of the gradient of SSIM, with x the render, y the photo, B the window (zeros outside the picture):
//   mx = B x,  sx = B x^2 - mx^2,  sxy = B xy - mx my,  A1 = 2 mx my + C1,  A2 = 2 sxy + C2,
//   B1 = mx^2 + my^2 + C1,  B2 = sx + sy + C2,  S = A1 A2 / (B1 B2)
//   p2 = -S / B2,  p3 = 2 A1 / (B1 B2),  p1 = 2 my A2 / (B1 B2) - 2 mx S / B1 - 2 mx p2 - my p3
//   dS_total/dx = B p1 + 2 x B p2 + y B p3
// This kernel makes p1, p2, p3, blurs them down the columns, and sums 1 - S; loss_gradient.wgsl blurs along the rows and
// does the rest. x and y are taken less 1, in which variances keep their form, white is 0, and outside is -1.
//
// One invocation walks down a band of 8 columns of one channel: each row is blurred to the 8 columns at once, then added
// with its tap to the running sums of the windows that see it; each window that closes goes the same way into the running
// sums of p. A pixel is loaded once an invocation and nothing is stored in between. More columns, or all channels at once,
// would not fit the first cache of a CPU. Where neither a band nor its apron differ from the photo, p changes nothing and
// nothing is computed.
//
// Dispatch: [bands across / 8, bands, 3] groups of 8. One invocation a channel of a band of 8 x 128 pixels of one view.
// grid           sizes, view and photo
// rendered       [views, height, width, 4]
// strips         [photos, height, columns, 3]  photo: by channel, 4 pixels each, packed 8-bit; 0 outside
// windows        [photos, height, columns, 6]  photo's window means less 1, then variances; by channel, 4 pixels each
// differences    [views, rows, columns]
// maps           [height, columns, 9]          out: blurred p1, p2, p3 by channel, 4 pixels each
// computed       [bands, bands across]         out: whether the band's maps were written
// dissimilarity  [views, 3, bands, bands across]  out: 1 - S summed over pixels
// Deterministic: each invocation owns its band and sums it in row order.

@group(0) @binding(0) var<storage, read> grid: LossGrid;
@group(0) @binding(1) var<storage, read> rendered: array<f32>;
@group(0) @binding(2) var<storage, read> strips: array<u32>;
@group(0) @binding(3) var<storage, read> windows: array<vec4f>;
@group(0) @binding(4) var<storage, read> differences: array<vec2f>;
@group(0) @binding(5) var<storage, read_write> maps: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> computed: array<u32>;
@group(0) @binding(7) var<storage, read_write> dissimilarity: array<f32>;

// Blocks of the differences that a band covers.
const BAND_BLOCKS = BAND_HEIGHT / BLOCK_HEIGHT;
const C1 = 0.0001f;
const C2 = 0.0009f;

// Three quantities of 8 neighbouring pixels.
struct Moments {
  a: mat2x4f,
  b: mat2x4f,
  c: mat2x4f,
}

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let across = bands_across(grid.columns);
  if (id.x >= across || id.y >= grid.bands) {
    return;
  }
  let left = i32(id.x * BAND_WIDTH);
  let top = i32(id.y * BAND_HEIGHT);
  let height = min(i32(BAND_HEIGHT), i32(grid.height) - top);
  let band = id.y * across + id.x;
  let place = (grid.view * 3u + id.z) * grid.bands * across + band;
  let needed = any_difference(id.xy);
  if (id.z == 0u) {
    computed[band] = u32(needed);
  }
  if (!needed) {
    dissimilarity[place] = 0.0;
    return;
  }
  // Windows still open, the one that closes next first; then the same for blurred maps.
  var s1 = Moments();
  var s2 = Moments();
  var s3 = Moments();
  var s4 = Moments();
  var s5 = Moments();
  var s6 = Moments();
  var s7 = Moments();
  var s8 = Moments();
  var s9 = Moments();
  var s10 = Moments();
  var t1 = Moments();
  var t2 = Moments();
  var t3 = Moments();
  var t4 = Moments();
  var t5 = Moments();
  var t6 = Moments();
  var t7 = Moments();
  var t8 = Moments();
  var t9 = Moments();
  var t10 = Moments();
  var sum = 0f;
  // Four rows at a time, which moves the open windows once instead of four times. BAND_HEIGHT + 20 is a multiple of 4.
  for (var row = 0; row < height + 20; row += 4) {
    let m0 = row_moments(id.z, left, top + row - 10);
    let m1 = row_moments(id.z, left, top + row - 9);
    let m2 = row_moments(id.z, left, top + row - 8);
    let m3 = row_moments(id.z, left, top + row - 7);
    let c0 = close(id.z, 2u * id.x, row, top, plus(s1, TAP_5, m0));
    let p0 = c0.p;
    let c1 = close(id.z, 2u * id.x, row + 1, top, plus(plus(s2, TAP_4, m0), TAP_5, m1));
    let p1 = c1.p;
    let c2 = close(id.z, 2u * id.x, row + 2, top, plus(plus(plus(s3, TAP_3, m0), TAP_4, m1), TAP_5, m2));
    let p2 = c2.p;
    let c3 = close(id.z, 2u * id.x, row + 3, top, plus(plus(plus(plus(s4, TAP_2, m0), TAP_3, m1), TAP_4, m2), TAP_5, m3));
    let p3 = c3.p;
    s1 = plus(plus(plus(plus(s5, TAP_1, m0), TAP_2, m1), TAP_3, m2), TAP_4, m3);
    s2 = plus(plus(plus(plus(s6, TAP_0, m0), TAP_1, m1), TAP_2, m2), TAP_3, m3);
    s3 = plus(plus(plus(plus(s7, TAP_1, m0), TAP_0, m1), TAP_1, m2), TAP_2, m3);
    s4 = plus(plus(plus(plus(s8, TAP_2, m0), TAP_1, m1), TAP_0, m2), TAP_1, m3);
    s5 = plus(plus(plus(plus(s9, TAP_3, m0), TAP_2, m1), TAP_1, m2), TAP_0, m3);
    s6 = plus(plus(plus(plus(s10, TAP_4, m0), TAP_3, m1), TAP_2, m2), TAP_1, m3);
    s7 = plus(plus(plus(plus(Moments(), TAP_5, m0), TAP_4, m1), TAP_3, m2), TAP_2, m3);
    s8 = plus(plus(plus(Moments(), TAP_5, m1), TAP_4, m2), TAP_3, m3);
    s9 = plus(plus(Moments(), TAP_5, m2), TAP_4, m3);
    s10 = plus(Moments(), TAP_5, m3);
    sum += c0.lack;
    sum += c1.lack;
    sum += c2.lack;
    sum += c3.lack;
    store(id.z, 2u * id.x, top, row - 20, plus(t1, TAP_5, p0));
    store(id.z, 2u * id.x, top, row - 19, plus(plus(t2, TAP_4, p0), TAP_5, p1));
    store(id.z, 2u * id.x, top, row - 18, plus(plus(plus(t3, TAP_3, p0), TAP_4, p1), TAP_5, p2));
    store(id.z, 2u * id.x, top, row - 17, plus(plus(plus(plus(t4, TAP_2, p0), TAP_3, p1), TAP_4, p2), TAP_5, p3));
    t1 = plus(plus(plus(plus(t5, TAP_1, p0), TAP_2, p1), TAP_3, p2), TAP_4, p3);
    t2 = plus(plus(plus(plus(t6, TAP_0, p0), TAP_1, p1), TAP_2, p2), TAP_3, p3);
    t3 = plus(plus(plus(plus(t7, TAP_1, p0), TAP_0, p1), TAP_1, p2), TAP_2, p3);
    t4 = plus(plus(plus(plus(t8, TAP_2, p0), TAP_1, p1), TAP_0, p2), TAP_1, p3);
    t5 = plus(plus(plus(plus(t9, TAP_3, p0), TAP_2, p1), TAP_1, p2), TAP_0, p3);
    t6 = plus(plus(plus(plus(t10, TAP_4, p0), TAP_3, p1), TAP_2, p2), TAP_1, p3);
    t7 = plus(plus(plus(plus(Moments(), TAP_5, p0), TAP_4, p1), TAP_3, p2), TAP_2, p3);
    t8 = plus(plus(plus(Moments(), TAP_5, p1), TAP_4, p2), TAP_3, p3);
    t9 = plus(plus(Moments(), TAP_5, p2), TAP_4, p3);
    t10 = plus(Moments(), TAP_5, p3);
  }
  dissimilarity[place] = sum;
}

// Whether any pixel that the band's maps depend on differs from its photo; NaN counts.
fn any_difference(band: vec2u) -> bool {
  let first = vec2u(2u * max(band.x, 1u) - 2u, max(band.y * BAND_BLOCKS, 1u) - 1u);
  let last = min(vec2u(2u * band.x + 3u, band.y * BAND_BLOCKS + BAND_BLOCKS), vec2u(grid.columns, grid.rows) - 1u);
  var equal = true;
  for (var y = first.y; y <= last.y; y++) {
    for (var x = first.x; x <= last.x; x++) {
      equal = equal && differences[(grid.view * grid.rows + y) * grid.columns + x].x == 0.0;
    }
  }
  return !equal;
}

// A row of 18 pixels: 8 in the middle, 4 before and 4 behind these, and one further on each side.
struct Row {
  first: f32,
  before: vec4f,
  left: vec4f,
  right: vec4f,
  behind: vec4f,
  last: f32,
}

// x, x^2 and x y of a row, blurred to the 8 columns from `left` on.
fn row_moments(channel: u32, left: i32, row: i32) -> Moments {
  let x0 = render(channel, left - 5, row);
  let x1 = render(channel, left - 4, row);
  let x2 = render(channel, left - 3, row);
  let x3 = render(channel, left - 2, row);
  let x4 = render(channel, left - 1, row);
  let x5 = render(channel, left, row);
  let x6 = render(channel, left + 1, row);
  let x7 = render(channel, left + 2, row);
  let x8 = render(channel, left + 3, row);
  let x9 = render(channel, left + 4, row);
  let x10 = render(channel, left + 5, row);
  let x11 = render(channel, left + 6, row);
  let x12 = render(channel, left + 7, row);
  let x13 = render(channel, left + 8, row);
  let x14 = render(channel, left + 9, row);
  let x15 = render(channel, left + 10, row);
  let x16 = render(channel, left + 11, row);
  let x17 = render(channel, left + 12, row);
  let x = Row(x0, vec4f(x1, x2, x3, x4), vec4f(x5, x6, x7, x8), vec4f(x9, x10, x11, x12), vec4f(x13, x14, x15, x16), x17);
  let column = left / i32(BLOCK_WIDTH);
  let y = Row(
    photo(channel, column - 2, row).w,
    photo(channel, column - 1, row),
    photo(channel, column, row),
    photo(channel, column + 1, row),
    photo(channel, column + 2, row),
    photo(channel, column + 3, row).x,
  );
  return Moments(blur_row(x), blur_row(product(x, x)), blur_row(product(x, y)));
}

fn product(a: Row, b: Row) -> Row {
  return Row(
    a.first * b.first,
    a.before * b.before,
    a.left * b.left,
    a.right * b.right,
    a.behind * b.behind,
    a.last * b.last,
  );
}

fn blur_row(row: Row) -> mat2x4f {
  return mat2x4f(
    blur(row.first, row.before, row.left, row.right, row.behind.x),
    blur(row.before.w, row.left, row.right, row.behind, row.last),
  );
}

// A pixel of the render less 1.
fn render(channel: u32, x: i32, y: i32) -> f32 {
  let inside = clamp(vec2i(x, y), vec2i(0), vec2i(i32(grid.width), i32(grid.height)) - 1);
  let at = (grid.view * grid.height + u32(inside.y)) * grid.width + u32(inside.x);
  return select(rendered[4u * at + channel], 0.0, x != inside.x || y != inside.y) - 1.0;
}

// Four pixels of the photo less 1.
fn photo(channel: u32, column: i32, y: i32) -> vec4f {
  let inside = clamp(vec2i(column, y), vec2i(0), vec2i(i32(grid.columns), i32(grid.height)) - 1);
  let at = (grid.photo * grid.height + u32(inside.y)) * grid.columns + u32(inside.x);
  return unpack4x8unorm(select(strips[3u * at + channel], 0u, column != inside.x || y != inside.y)) - 1.0;
}

// Adds a blurred row to windows that see it `tap` strong.
fn plus(sum: Moments, tap: f32, row: Moments) -> Moments {
  return Moments(sum.a + tap * row.a, sum.b + tap * row.b, sum.c + tap * row.c);
}

// Maps of 8 windows (0 beside the picture) and their sum of 1 - S.
struct Closed {
  p: Moments,
  lack: f32,
}

fn close(channel: u32, column: u32, row: i32, top: i32, m: Moments) -> Closed {
  let y = top + row - 15;
  if (row < 10 || y < 0 || y >= i32(grid.height)) {
    return Closed(Moments(), 0.0);
  }
  let left = window_maps(m.a[0], m.b[0], m.c[0], channel, column, y);
  let right = window_maps(m.a[1], m.b[1], m.c[1], channel, column + 1u, y);
  let lack = left.lack + right.lack;
  return Closed(
    Moments(mat2x4f(left.p1, right.p1), mat2x4f(left.p2, right.p2), mat2x4f(left.p3, right.p3)),
    select(0.0, (lack.x + lack.y) + (lack.z + lack.w), y >= top && y < top + i32(BAND_HEIGHT)),
  );
}

// Four windows of one channel.
struct Maps {
  p1: vec4f,
  p2: vec4f,
  p3: vec4f,
  lack: vec4f,
}

// From means less 1, mean squares and products of render and photo.
fn window_maps(x: vec4f, xx: vec4f, xy: vec4f, channel: u32, column: u32, row: i32) -> Maps {
  let window = ((grid.photo * grid.height + u32(row)) * grid.columns + min(column, grid.columns - 1u)) * 6u + channel;
  let y = windows[window];
  let sy = windows[window + 3u];
  let counted = vec4u(0u, 1u, 2u, 3u) + column * BLOCK_WIDTH < vec4u(grid.width);
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

fn store(channel: u32, column: u32, top: i32, row: i32, p: Moments) {
  if (row < 0 || top + row >= i32(grid.height)) {
    return;
  }
  let at = (u32(top + row) * grid.columns + column) * 9u + channel;
  maps[at] = p.a[0];
  maps[at + 3u] = p.b[0];
  maps[at + 6u] = p.c[0];
  if (column + 1u < grid.columns) {
    maps[at + 9u] = p.a[1];
    maps[at + 12u] = p.b[1];
    maps[at + 15u] = p.c[1];
  }
}
