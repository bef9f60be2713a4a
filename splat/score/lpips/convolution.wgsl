// One convolution of stride 1 and its ReLU:
//   output[o, y, x] = max(0, bias[o] + sum over channels c and window (i, j) of weights[o, c, i, j] input[c, y + i, x + j]).
// Input and output are tensors of feature_plan.ts: the zeros around a picture are part of the input.
//
// Dispatch: one invocation makes 4 x 4 pixels of 8 channels, [views * tile rows * tile columns / 64, outputs / 8] groups
// of 64. On a software device loads cost far more than sums, and this shape needs the fewest of them: a Tile stays in
// registers, and a group's invocations read the same weights.
// Deterministic: each invocation sums its own outputs, channel by channel.

override WIDTH: u32;   // of the square window; FIRST + WIDTH is at most 5
override FIRST: u32;   // row and column of the input at which the window of output (0, 0) begins

// Sums of 4 x 4 pixels. A matrix is a row of pixels; a column of it is one pixel's channels 0 to 3 (low) or 4 to 7 (high).
struct Tile {
  low0: mat4x4f, low1: mat4x4f, low2: mat4x4f, low3: mat4x4f,
  high0: mat4x4f, high1: mat4x4f, high2: mat4x4f, high3: mat4x4f,
}

// Eight columns of a row of the input.
struct Strip { left: vec4f, right: vec4f }

@group(0) @binding(0) var<storage, read> shape: ConvolutionShape;
@group(0) @binding(1) var<storage, read> input: array<vec4f>;       // [views, inputs, rows, stride / 4]
@group(0) @binding(2) var<storage, read> weights: array<vec4f>;     // [outputs / 8, inputs, WIDTH, WIDTH, 2] of 4 outputs
@group(0) @binding(3) var<storage, read> bias: array<vec4f>;        // [outputs / 8, 2] of 4 outputs
@group(0) @binding(4) var<storage, read_write> output: array<f32>;  // [views, channels, rows, stride]

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let tiles = shape.tileColumns * shape.tileRows;
  let view = id.x / tiles;
  if (view >= shape.views) {
    return;
  }
  let column = id.x % tiles % shape.tileColumns;
  let row = id.x % tiles / shape.tileColumns;
  var tile = bias_tile(bias[2u * id.y], bias[2u * id.y + 1u]);
  var plane = view * shape.inputs * shape.inputPlane + (4u * row + FIRST) * shape.inputStride + column;
  var weight = id.y * shape.inputs * WIDTH * WIDTH * 2u;
  for (var channel = 0u; channel < shape.inputs; channel++) {
    // The window's next row needs one new strip: the other three have moved up by one.
    var s0: Strip;
    var s1 = strip(plane);
    var s2 = strip(plane + shape.inputStride);
    var s3 = strip(plane + 2u * shape.inputStride);
    var next = plane + 3u * shape.inputStride;
    for (var i = 0u; i < WIDTH; i++) {
      s0 = s1;
      s1 = s2;
      s2 = s3;
      s3 = strip(next);
      add_window_row(&tile, s0, s1, s2, s3, weight);
      next += shape.inputStride;
      weight += 2u * WIDTH;
    }
    plane += shape.inputPlane;
  }
  let at = ((view * shape.channels + shape.channel + 8u * id.y) * shape.outputPlane) + shape.outputStart;
  store(at, 4u * row, 4u * column, tile.low0, tile.high0);
  store(at, 4u * row + 1u, 4u * column, tile.low1, tile.high1);
  store(at, 4u * row + 2u, 4u * column, tile.low2, tile.high2);
  store(at, 4u * row + 3u, 4u * column, tile.low3, tile.high3);
}

fn bias_tile(low: vec4f, high: vec4f) -> Tile {
  let lows = mat4x4f(low, low, low, low);
  let highs = mat4x4f(high, high, high, high);
  return Tile(lows, lows, lows, lows, highs, highs, highs, highs);
}

fn strip(at: u32) -> Strip {
  if (FIRST + WIDTH == 1u) {
    return Strip(input[at], vec4f());
  }
  return Strip(input[at], input[at + 1u]);
}

// Adds one row of the window; `weight` is where its weights begin.
fn add_window_row(tile: ptr<function, Tile>, s0: Strip, s1: Strip, s2: Strip, s3: Strip, weight: u32) {
  if (covers(0u)) {
    add_tap(tile, s0.left, s1.left, s2.left, s3.left, weight);
  }
  if (covers(1u)) {
    add_tap(tile, shift1(s0), shift1(s1), shift1(s2), shift1(s3), weight + 2u * (1u - FIRST));
  }
  if (covers(2u)) {
    add_tap(tile, shift2(s0), shift2(s1), shift2(s2), shift2(s3), weight + 2u * (2u - FIRST));
  }
  if (covers(3u)) {
    add_tap(tile, shift3(s0), shift3(s1), shift3(s2), shift3(s3), weight + 2u * (3u - FIRST));
  }
  if (covers(4u)) {
    add_tap(tile, s0.right, s1.right, s2.right, s3.right, weight + 2u * (4u - FIRST));
  }
}

fn covers(column: u32) -> bool {
  return FIRST <= column && column < FIRST + WIDTH;
}

fn shift1(s: Strip) -> vec4f {
  return vec4f(s.left.yzw, s.right.x);
}

fn shift2(s: Strip) -> vec4f {
  return vec4f(s.left.zw, s.right.xy);
}

fn shift3(s: Strip) -> vec4f {
  return vec4f(s.left.w, s.right.xyz);
}

// Adds one place of the window to all 16 pixels.
fn add_tap(tile: ptr<function, Tile>, row0: vec4f, row1: vec4f, row2: vec4f, row3: vec4f, weight: u32) {
  let low = weights[weight];
  let high = weights[weight + 1u];
  (*tile).low0 += outer(low, row0);
  (*tile).low1 += outer(low, row1);
  (*tile).low2 += outer(low, row2);
  (*tile).low3 += outer(low, row3);
  (*tile).high0 += outer(high, row0);
  (*tile).high1 += outer(high, row1);
  (*tile).high2 += outer(high, row2);
  (*tile).high3 += outer(high, row3);
}

fn outer(channels: vec4f, pixels: vec4f) -> mat4x4f {
  return mat4x4f(channels * pixels.x, channels * pixels.y, channels * pixels.z, channels * pixels.w);
}

// Writes those pixels of a row that lie inside the picture.
fn store(at: u32, y: u32, x: u32, low: mat4x4f, high: mat4x4f) {
  if (y >= shape.height) {
    return;
  }
  for (var pixel = 0u; pixel < min(4u, shape.width - x); pixel++) {
    let place = at + y * shape.outputStride + x + pixel;
    store_channels(place, max(low[pixel], vec4f()));
    store_channels(place + 4u * shape.outputPlane, max(high[pixel], vec4f()));
  }
}

fn store_channels(place: u32, values: vec4f) {
  output[place] = values.x;
  output[place + shape.outputPlane] = values.y;
  output[place + 2u * shape.outputPlane] = values.z;
  output[place + 3u * shape.outputPlane] = values.w;
}
