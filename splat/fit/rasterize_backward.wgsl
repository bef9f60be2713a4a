// Gradient of the loss by splats, one tile at a time. It walks the tile as rasterize.wgsl does, front to back; with
// colours relative to the background, gradient g of a pixel and B_i = g . (what all splats behind i add to the pixel):
//   dL/dcolor_i     = T alpha_i g
//   dL/dln(alpha_i) = T alpha_i (g . color_i) - B_i alpha_i / (1 - alpha_i)      (0 where alpha_max clamps)
// B starts as g . (pixel - background) and loses each splat's own part. Positions are kept in the splat's own
// coordinates z = root (pixel - mean), in which sums of squares are of order 1 however thin the splat is.
//
// Dispatch: ceil(tiles / 64). One invocation a tile of 8x4 pixels of one view.
// frame      [1]                     sizes
// grid                               which view
// splats     [views, slots]          front to back
// masks      [views, words, tiles]   one bit a splat
// upstream   [height, width]         dL/dpixel of the view, and its product with pixel - background
// partials   [tiles, slots]          out, only where a mask has a bit
// Deterministic: an invocation sums its own pixels in a fixed order and writes its own entries.

override alpha_max: f32;
override alpha_min: f32;
override t_stop: f32;
override t_stop_drops: bool;
override pixel_center: f32;
override background_red: f32;
override background_green: f32;
override background_blue: f32;
override light_budget: f32;

@group(0) @binding(0) var<storage, read> frame: array<Frame>;
@group(0) @binding(1) var<storage, read> grid: LossGrid;
@group(0) @binding(2) var<storage, read> splats: array<Splat>;
@group(0) @binding(3) var<storage, read> masks: array<u32>;
@group(0) @binding(4) var<storage, read> upstream: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> partials: array<SplatGradient>;

// Four pixels in a row.
struct Strip {
  light: vec4f,
  // B: what the splats not yet seen add to the pixel, times g.
  behind: vec4f,
  red: vec4f,
  green: vec4f,
  blue: vec4f,
  open: vec4<bool>,
}

// Sums over a tile, in four parts.
struct Sums {
  one: vec4f,
  x: vec4f,
  y: vec4f,
  xx: vec4f,
  xy: vec4f,
  yy: vec4f,
  red: vec4f,
  green: vec4f,
  blue: vec4f,
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let size = vec2u(frame[0].width, frame[0].height);
  let tiles = (size + vec2u(7u, 3u)) / vec2u(8u, 4u);
  let tile_count = tiles.x * tiles.y;
  if (id.x >= tile_count) {
    return;
  }
  let view = grid.view;
  let first = vec2u(8u, 4u) * vec2u(id.x % tiles.x, id.x / tiles.x);
  let sample = vec2f(first) + pixel_center;
  let words = frame[0].words;
  let slots = frame[0].slots;

  var word = 0u;
  var mask = 0u;
  while (mask == 0u && word < words) {
    mask = masks[(view * words + word) * tile_count + id.x];
    word++;
  }
  // Without splats there is no gradient to load either.
  if (mask == 0u) {
    return;
  }
  var left0 = load(first);
  var left1 = load(first + vec2u(0u, 1u));
  var left2 = load(first + vec2u(0u, 2u));
  var left3 = load(first + vec2u(0u, 3u));
  var right0 = load(first + vec2u(4u, 0u));
  var right1 = load(first + vec2u(4u, 1u));
  var right2 = load(first + vec2u(4u, 2u));
  var right3 = load(first + vec2u(4u, 3u));

  var finished = false;
  loop {
    while (mask == 0u && word < words) {
      mask = masks[(view * words + word) * tile_count + id.x];
      word++;
    }
    if (mask == 0u) {
      break;
    }
    let slot = word * 32u - 32u + countTrailingZeros(mask);
    mask &= mask - 1u;
    var sums = Sums();
    if (!finished) {
      let splat = splats[view * slots + slot];
      let color = splat.color - vec3f(background_red, background_green, background_blue);
      let d = sample - splat.anchor;
      let at = splat.offset + vec2f(splat.root.x * d.x + splat.root.y * d.y, splat.root.z * d.y);
      let left = at.x + splat.root.x * vec4f(0.0, 1.0, 2.0, 3.0);
      let right = at.x + splat.root.x * vec4f(4.0, 5.0, 6.0, 7.0);
      let down = splat.root.yz;
      add_row(&left0, &right0, &sums, splat.opacity, color, left, right, at.y);
      add_row(&left1, &right1, &sums, splat.opacity, color, left + down.x, right + down.x, at.y + down.y);
      add_row(&left2, &right2, &sums, splat.opacity, color, left + 2.0 * down.x, right + 2.0 * down.x, at.y + 2.0 * down.y);
      add_row(&left3, &right3, &sums, splat.opacity, color, left + 3.0 * down.x, right + 3.0 * down.x, at.y + 3.0 * down.y);
      let upper = max(max(open_light(left0), open_light(right0)), max(open_light(left1), open_light(right1)));
      let lower = max(max(open_light(left2), open_light(right2)), max(open_light(left3), open_light(right3)));
      let most = max(upper, lower);
      finished = max(max(most.x, most.y), max(most.z, most.w)) <= light_budget;
    }
    partials[id.x * slots + slot] = SplatGradient(
      vec4f(total(sums.one), total(sums.x), total(sums.y), total(sums.xx)),
      vec4f(total(sums.xy), total(sums.yy), total(sums.red), total(sums.green)),
      total(sums.blue),
    );
  }
}

fn add_row(
  left: ptr<function, Strip>, right: ptr<function, Strip>, sums: ptr<function, Sums>,
  opacity: f32, color: vec3f, left_x: vec4f, right_x: vec4f, y: f32,
) {
  let a = pass_splat(left, sums, opacity, color, left_x, y);
  let b = pass_splat(right, sums, opacity, color, right_x, y);
  let one = a + b;
  let x = a * left_x + b * right_x;
  (*sums).one += one;
  (*sums).x += x;
  (*sums).xx += a * left_x * left_x + b * right_x * right_x;
  (*sums).y += y * one;
  (*sums).xy += y * x;
  (*sums).yy += y * y * one;
}

// dL/dln(alpha) of four pixels; adds to the colours' sums and moves the pixels behind the splat.
fn pass_splat(
  strip: ptr<function, Strip>, sums: ptr<function, Sums>, opacity: f32, color: vec3f, x: vec4f, y: f32,
) -> vec4f {
  let falloff = opacity * exp2(-(x * x + y * y));
  var alpha = min(vec4f(alpha_max), falloff);
  if (alpha_min > 0.0) {
    alpha = select(alpha, vec4f(0.0), alpha < vec4f(alpha_min));
  }
  if (t_stop > 0.0) {
    let ends = (*strip).light * (1.0 - alpha) <= vec4f(t_stop);
    alpha = select(vec4f(0.0), alpha, (*strip).open);
    if (t_stop_drops) {
      alpha = select(alpha, vec4f(0.0), ends);
    }
    (*strip).open = select((*strip).open, vec4<bool>(false), ends);
  }
  let weight = (*strip).light * alpha;
  (*sums).red += weight * (*strip).red;
  (*sums).green += weight * (*strip).green;
  (*sums).blue += weight * (*strip).blue;
  let own = weight * (color.x * (*strip).red + color.y * (*strip).green + color.z * (*strip).blue);
  (*strip).behind -= own;
  let through = 1.0 - alpha;
  (*strip).light *= through;
  let slope = own - (*strip).behind * alpha / max(through, vec4f(1e-6));
  return select(slope, vec4f(0.0), falloff > vec4f(alpha_max));
}

fn open_light(strip: Strip) -> vec4f {
  if (t_stop > 0.0) {
    return select(vec4f(0.0), strip.light, strip.open);
  }
  return strip.light;
}

// Pixels outside the picture have gradient 0.
fn load(first: vec2u) -> Strip {
  let size = vec2u(frame[0].width, frame[0].height);
  var strip = Strip(vec4f(1.0), vec4f(), vec4f(), vec4f(), vec4f(), vec4<bool>(true));
  if (first.y >= size.y) {
    return strip;
  }
  let at = first.y * size.x + first.x;
  for (var k = 0u; k < 4u; k++) {
    if (first.x + k < size.x) {
      let pixel = upstream[at + k];
      strip.red[k] = pixel.x;
      strip.green[k] = pixel.y;
      strip.blue[k] = pixel.z;
      strip.behind[k] = pixel.w;
    }
  }
  return strip;
}

fn total(parts: vec4f) -> f32 {
  return (parts.x + parts.y) + (parts.z + parts.w);
}
