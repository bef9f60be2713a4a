// 1 - SSIM, summed over each listed block of a picture pair. With render x, photo y, d = x - y and window means E:
//   SSIM = (2 ux uy + C1)(2 vxy + C2) / ((ux^2 + uy^2 + C1)(vx + vy + C2))
//   vd = E[d^2] - E[d]^2 = vx + vy - 2 vxy,  so with A = 2 ux uy + C1 and B = 2 vxy + C2:
//   1 - SSIM = (E[d]^2 (B + vd) + A vd) / ((A + E[d]^2)(B + vd))
// which loses no digits where the pictures are nearly equal, and needs one blur less than the first form. y and d are
// taken relative to an average of the block, since E[xy] - E[x] E[y] of bright flat pixels would drown in rounding.
//
// One invocation walks down a block of 8 columns, once for each channel: each row is blurred to the 8 columns at once, then
// added with its tap to the running sums of the outputs that see it, so that a pixel is loaded once an invocation and
// nothing is stored. More columns, or all channels at once, were slower on a CPU, maybe since the sums outgrow its first cache.
//
// Dispatch: one invocation a place of the list, [blocks / 32, pairs] groups of 32. A software driver runs eight lanes
// together, and neighbours in the list mostly read the same rows of a picture.
// Deterministic: each invocation owns its block and sums it in row order.

override BORDER: u32;         // 0 valid: only windows inside the picture; 1 zero; 2 reflect, without repeating the edge
override RADIUS: u32;         // of the window, at most 5; its factors are in ssim_lib.wgsl
override COVARIANCE: f32;     // factor on variances: 1 population, n / (n - 1) sample
override GRAY: u32;           // 1: one channel, the three weighted; it counts three times
override GRAY_R: f32;
override GRAY_G: f32;
override GRAY_B: f32;

const C1 = 0.0001f;           // (0.01 L)^2 and (0.03 L)^2 with data range L = 1
const C2 = 0.0009f;

@group(0) @binding(0) var<storage, read> grid: MetricGrid;                  // size of pictures and block grid
@group(0) @binding(1) var<storage, read> pairs: array<vec2u>;               // [pairs] view, photo
@group(0) @binding(2) var<storage, read> rendered: array<f32>;              // [views, height, width, 4] RGB, transmittance
@group(0) @binding(3) var<storage, read> photos: array<u32>;                // [photos, height, width] packed 8-bit
@group(0) @binding(4) var<storage, read> lists: array<u32>;                 // [pairs, 1 + blocks] how many, then which
@group(0) @binding(5) var<storage, read_write> sums: array<BlockSums>;      // [pairs, blocks] in the list's order

// Where the pair of this invocation begins, the channel, and what its d and y are relative to.
struct Source {
  render: u32,
  photo: u32,
  channel: u32,
  origin: Pixel,
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let blocks = grid.rows * grid.columns;
  let list = id.y * (1u + blocks);
  if (id.x >= lists[list]) {
    return;
  }
  let block = lists[list + 1u + id.x];
  let left = i32(block % grid.columns * BLOCK_WIDTH);
  let top = i32(block / grid.columns * BLOCK_HEIGHT);
  let size = grid.width * grid.height;
  let pair = pairs[id.y] * size;
  var sum = 0f;
  if (GRAY == 1u) {
    sum = 3f * channel_sum(Source(pair.x, pair.y, 0u, Pixel()), left, top);
  } else {
    for (var channel = 0u; channel < 3u; channel++) {
      sum += channel_sum(Source(pair.x, pair.y, channel, Pixel()), left, top);
    }
  }
  sums[id.y * blocks + id.x].dissimilarity = sum;
}

fn channel_sum(absolute: Source, left: i32, top: i32) -> f32 {
  let height = min(i32(BLOCK_HEIGHT), i32(grid.height) - top);
  var source = absolute;
  source.origin = average(
    average_row(absolute, left, top),
    average_row(absolute, left, top + (height - 1) / 3),
    average_row(absolute, left, top + (height - 1) * 2 / 3),
    average_row(absolute, left, top + height - 1),
  );

  var s1 = Moments(); // windows still open, the one that closes next first
  var s2 = Moments();
  var s3 = Moments();
  var s4 = Moments();
  var s5 = Moments();
  var s6 = Moments();
  var s7 = Moments();
  var s8 = Moments();
  var s9 = Moments();
  var s10 = Moments();
  var sum = 0f;
  for (var row = 0; row < height + 10; row++) {
    let m = row_moments(source, left - 5, top + row - 5);
    if (row >= 10) {
      sum += dissimilarity(plus(s1, TAP_5, m), source.origin, left, top + row - 10);
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
    s10 = plus(Moments(), TAP_5, m);
  }
  return sum;
}

fn average_row(source: Source, left: i32, y: i32) -> Pixel {
  let last = i32(grid.width) - 1;
  return average(
    pixel(source, left, y),
    pixel(source, min(left + 2, last), y),
    pixel(source, min(left + 5, last), y),
    pixel(source, min(left + 7, last), y),
  );
}

// One row of 18 pixels, blurred to its 8 middle columns.
fn row_moments(source: Source, x: i32, y: i32) -> Moments {
  let p0 = pixel(source, x, y); let p1 = pixel(source, x + 1, y);
  let p2 = pixel(source, x + 2, y); let p3 = pixel(source, x + 3, y);
  let p4 = pixel(source, x + 4, y); let p5 = pixel(source, x + 5, y);
  let p6 = pixel(source, x + 6, y); let p7 = pixel(source, x + 7, y);
  let p8 = pixel(source, x + 8, y); let p9 = pixel(source, x + 9, y);
  let p10 = pixel(source, x + 10, y); let p11 = pixel(source, x + 11, y);
  let p12 = pixel(source, x + 12, y); let p13 = pixel(source, x + 13, y);
  let p14 = pixel(source, x + 14, y); let p15 = pixel(source, x + 15, y);
  let p16 = pixel(source, x + 16, y); let p17 = pixel(source, x + 17, y);
  return Moments(
    blur(
      p0.d, p1.d, p2.d, p3.d, p4.d, p5.d,
      p6.d, p7.d, p8.d, p9.d, p10.d, p11.d,
      p12.d, p13.d, p14.d, p15.d, p16.d, p17.d,
    ),
    blur(
      p0.y, p1.y, p2.y, p3.y, p4.y, p5.y,
      p6.y, p7.y, p8.y, p9.y, p10.y, p11.y,
      p12.y, p13.y, p14.y, p15.y, p16.y, p17.y,
    ),
    blur(
      p0.d * p0.d, p1.d * p1.d, p2.d * p2.d, p3.d * p3.d, p4.d * p4.d, p5.d * p5.d,
      p6.d * p6.d, p7.d * p7.d, p8.d * p8.d, p9.d * p9.d, p10.d * p10.d, p11.d * p11.d,
      p12.d * p12.d, p13.d * p13.d, p14.d * p14.d, p15.d * p15.d, p16.d * p16.d, p17.d * p17.d,
    ),
    blur(
      product(p0), product(p1), product(p2), product(p3), product(p4), product(p5),
      product(p6), product(p7), product(p8), product(p9), product(p10), product(p11),
      product(p12), product(p13), product(p14), product(p15), product(p16), product(p17),
    ),
  );
}

fn pixel(source: Source, x: i32, y: i32) -> Pixel {
  let at = u32(inside(y, i32(grid.height))) * grid.width + u32(inside(x, i32(grid.width)));
  let value = channel_value(source, at);
  let outside = x < 0 || y < 0 || x >= i32(grid.width) || y >= i32(grid.height);
  let black = BORDER == 1u && outside;
  return Pixel(select(value.d, 0f, black) - source.origin.d, select(value.y, 0f, black) - source.origin.y);
}

fn channel_value(source: Source, at: u32) -> Pixel {
  let photo = photos[source.photo + at];
  let render = 4u * (source.render + at);
  if (GRAY == 1u) {
    let weights = vec3f(GRAY_R, GRAY_G, GRAY_B);
    let color = vec3f(rendered[render], rendered[render + 1u], rendered[render + 2u]);
    return Pixel(dot(color - photo_color(photo), weights), dot(photo_color(photo), weights));
  }
  let y = photo_channel(photo, source.channel);
  return Pixel(rendered[render + source.channel] - y, y);
}

// Coordinate of the pixel that stands for one outside the picture.
fn inside(at: i32, size: i32) -> i32 {
  let mirrored = select(at, select(abs(at), 2 * (size - 1) - at, at >= size), BORDER == 2u);
  return clamp(mirrored, 0, size - 1);
}

// 1 - SSIM of 8 windows in a row, summed over those that the picture counts: all on its pixels, or those inside it.
fn dissimilarity(m: Moments, origin: Pixel, left: i32, y: i32) -> f32 {
  let margin = select(0, i32(RADIUS), BORDER == 0u);
  if (y < margin || y >= i32(grid.height) - margin) {
    return 0f;
  }
  return counted(left, margin, windows(m.d[0], m.y[0], m.dd[0], m.xy[0], origin)) +
    counted(left + 4, margin, windows(m.d[1], m.y[1], m.dd[1], m.xy[1], origin));
}

fn windows(d: vec4f, y: vec4f, dd: vec4f, xy: vec4f, origin: Pixel) -> vec4f {
  let photo_mean = y + origin.y;
  let difference = d + origin.d;
  let d2 = difference * difference;
  let a = 2f * photo_mean * (photo_mean + difference) + C1;
  let vd = COVARIANCE * (dd - d * d);
  let b = 2f * COVARIANCE * (xy - (y + d) * y) + C2;
  return (d2 * (b + vd) + a * vd) / ((a + d2) * (b + vd));
}

fn counted(left: i32, margin: i32, values: vec4f) -> f32 {
  let x = vec4i(left, left + 1, left + 2, left + 3);
  let kept = select(vec4f(), values, (x >= vec4i(margin)) & (x < vec4i(i32(grid.width) - margin)));
  return kept.x + kept.y + kept.z + kept.w;
}
