// Blends the splats of each tile front to back into its pixels:
//   alpha_i = min(alpha_max, opacity_i exp2(-power_i)),   C += T alpha_i color_i,   T *= 1 - alpha_i
//   pixel = C + T background
// An invocation owns 8x4 pixels in eight strips of four, kept in registers: a splat is read once for 32 pixels. A tile
// that no splat reaches is background, and is left alone where the canvas already holds that: most tiles, most times.
//
// Dispatch: (ceil(tiles / 64), views). One invocation a (view, tile of 8x4 pixels).
// frame     [1]                     sizes
// splats    [views, slots]          front to back
// masks     [views, words, tiles]   one bit a splat
// rendered  [views, height, width]  out, red, green, blue in [0, 1] and the transmittance that was left
// states    [views, tiles]          in and out, what `rendered` holds; see canvas.ts
// Deterministic: a pixel is summed by one invocation, in depth order.

override alpha_max: f32;
override alpha_min: f32;
override t_stop: f32;
override t_stop_drops: bool;
override pixel_center: f32;
override background_red: f32;
override background_green: f32;
override background_blue: f32;
// 0: clamp only, 1: round to 8 bits, 2: truncate to 8 bits.
override output_kind: u32;
// A tile ends when no pixel of it has more transmittance than this: the rest changes no pixel by more.
override light_budget: f32;
override state_background: u32;
override state_drawn: u32;

@group(0) @binding(0) var<storage, read> frame: array<Frame>;
@group(0) @binding(1) var<storage, read> splats: array<Splat>;
@group(0) @binding(2) var<storage, read> masks: array<u32>;
@group(0) @binding(3) var<storage, read_write> rendered: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> states: array<u32>;

// Four pixels in a row.
struct Strip {
  light: vec4f,
  red: vec4f,
  green: vec4f,
  blue: vec4f,
  // False where the transmittance stop has ended the pixel.
  open: vec4<bool>,
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let size = vec2u(frame[0].width, frame[0].height);
  let tiles = (size + vec2u(7u, 3u)) / vec2u(8u, 4u);
  let tile_count = tiles.x * tiles.y;
  if (id.x >= tile_count) {
    return;
  }
  let first = vec2u(8u, 4u) * vec2u(id.x % tiles.x, id.x / tiles.x);
  let sample = vec2f(first) + pixel_center;
  let words = frame[0].words;

  let reached = any_splat(id.y, id.x, tile_count);
  let state = id.y * tile_count + id.x;
  if (!reached && states[state] == state_background) {
    return;
  }
  states[state] = select(state_background, state_drawn, reached);

  let clear = Strip(vec4f(1.0), vec4f(0.0), vec4f(0.0), vec4f(0.0), vec4<bool>(true));
  var left0 = clear;
  var left1 = clear;
  var left2 = clear;
  var left3 = clear;
  var right0 = clear;
  var right1 = clear;
  var right2 = clear;
  var right3 = clear;

  var word = 0u;
  var mask = 0u;
  loop {
    while (mask == 0u && word < words) {
      mask = masks[(id.y * words + word) * tile_count + id.x];
      word++;
    }
    if (mask == 0u) {
      break;
    }
    // `word` is already one further.
    let slot = word * 32u - 32u + countTrailingZeros(mask);
    mask &= mask - 1u;
    let splat = splats[id.y * frame[0].slots + slot];

    let d = sample - splat.anchor;
    let at = splat.offset + vec2f(splat.root.x * d.x + splat.root.y * d.y, splat.root.z * d.y);
    let left = at.x + splat.root.x * vec4f(0.0, 1.0, 2.0, 3.0);
    let right = at.x + splat.root.x * vec4f(4.0, 5.0, 6.0, 7.0);
    left0 = blend(left0, splat, left, at.y);
    right0 = blend(right0, splat, right, at.y);
    left1 = blend(left1, splat, left + splat.root.y, at.y + splat.root.z);
    right1 = blend(right1, splat, right + splat.root.y, at.y + splat.root.z);
    left2 = blend(left2, splat, left + 2.0 * splat.root.y, at.y + 2.0 * splat.root.z);
    right2 = blend(right2, splat, right + 2.0 * splat.root.y, at.y + 2.0 * splat.root.z);
    left3 = blend(left3, splat, left + 3.0 * splat.root.y, at.y + 3.0 * splat.root.z);
    right3 = blend(right3, splat, right + 3.0 * splat.root.y, at.y + 3.0 * splat.root.z);

    let upper = max(max(open_light(left0), open_light(right0)), max(open_light(left1), open_light(right1)));
    let lower = max(max(open_light(left2), open_light(right2)), max(open_light(left3), open_light(right3)));
    let most = max(upper, lower);
    if (max(max(most.x, most.y), max(most.z, most.w)) <= light_budget) {
      break;
    }
  }

  store(left0, first, id.y);
  store(right0, first + vec2u(4u, 0u), id.y);
  store(left1, first + vec2u(0u, 1u), id.y);
  store(right1, first + vec2u(4u, 1u), id.y);
  store(left2, first + vec2u(0u, 2u), id.y);
  store(right2, first + vec2u(4u, 2u), id.y);
  store(left3, first + vec2u(0u, 3u), id.y);
  store(right3, first + vec2u(4u, 3u), id.y);
}

fn any_splat(view: u32, tile: u32, tile_count: u32) -> bool {
  var bits = 0u;
  for (var word = 0u; word < frame[0].words; word++) {
    bits |= masks[(view * frame[0].words + word) * tile_count + tile];
  }
  return bits != 0u;
}

// `x` and `y` are the two numbers whose squares add up to the power.
fn blend(behind: Strip, splat: Splat, x: vec4f, y: f32) -> Strip {
  var strip = behind;
  var alpha = min(vec4f(alpha_max), splat.opacity * exp2(-(x * x + y * y)));
  if (alpha_min > 0.0) {
    alpha = select(alpha, vec4f(0.0), alpha < vec4f(alpha_min));
  }
  if (t_stop > 0.0) {
    let ends = strip.light * (1.0 - alpha) <= vec4f(t_stop);
    alpha = select(vec4f(0.0), alpha, strip.open);
    if (t_stop_drops) {
      alpha = select(alpha, vec4f(0.0), ends);
    }
    strip.open = select(strip.open, vec4<bool>(false), ends);
  }
  let weight = strip.light * alpha;
  strip.red += weight * splat.color.x;
  strip.green += weight * splat.color.y;
  strip.blue += weight * splat.color.z;
  // Not light - weight: next to the stop, what is left counts by its own size.
  strip.light *= 1.0 - alpha;
  return strip;
}

fn open_light(strip: Strip) -> vec4f {
  if (t_stop > 0.0) {
    return select(vec4f(0.0), strip.light, strip.open);
  }
  return strip.light;
}

fn store(strip: Strip, first: vec2u, view: u32) {
  let size = vec2u(frame[0].width, frame[0].height);
  if (first.y >= size.y) {
    return;
  }
  let at = (view * size.y + first.y) * size.x;
  for (var k = 0u; k < 4u; k++) {
    if (first.x + k < size.x) {
      let color = vec3f(strip.red[k], strip.green[k], strip.blue[k]);
      let background = vec3f(background_red, background_green, background_blue);
      rendered[at + first.x + k] = vec4f(quantize(color + strip.light[k] * background), strip.light[k]);
    }
  }
}

fn quantize(color: vec3f) -> vec3f {
  let clamped = clamp(color, vec3f(0.0), vec3f(1.0));
  if (output_kind == 1u) {
    return floor(255.0 * clamped + 0.5) / 255.0;
  }
  if (output_kind == 2u) {
    return floor(255.0 * clamped) / 255.0;
  }
  return clamped;
}
