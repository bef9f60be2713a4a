// Darkens the pixels of snapped triangles, in exact integers as `rasterize.ts` does: pixel centres with
// ymin <= yc < ymax and, between the two edges that cross the row, left <= xc < right.
//
// Dispatch: (ceil(most triangles of a pose / 64), poses). One invocation a triangle.
// jobs    [poses]            which triangles are a pose's
// corners [triangles, 3]     x in the low and y in the high half of a word, sub-pixels from the middle, |x|, |y| <= 2^14
// masks   [poses, rows, 16]  in: light, out: 32 pixels a word, lowest bit leftmost
// Deterministic: bits are only ever set, in whatever order. Differences have 15 bits and their products 30.

override WIDTH: i32;
override HEIGHT: i32;
override SUB_PIXEL_BITS: u32;

@group(0) @binding(0) var<storage, read> jobs: array<TriangleRange>;
@group(0) @binding(1) var<storage, read> corners: array<u32>;
@group(0) @binding(2) var<storage, read_write> masks: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let job = jobs[id.y];
  if (id.x >= job.count) {
    return;
  }
  let at = 3u * (job.first + id.x);
  var a = corner(at);
  var b = corner(at + 1u);
  var c = corner(at + 2u);
  // From top to bottom: a, b, c.
  if (b.y < a.y) {
    let swapped = a;
    a = b;
    b = swapped;
  }
  if (c.y < a.y) {
    let swapped = a;
    a = c;
    c = swapped;
  }
  if (c.y < b.y) {
    let swapped = b;
    b = c;
    c = swapped;
  }
  let inverse_long = 1.0 / f32(c.y - a.y);
  let inverse_upper = 1.0 / f32(b.y - a.y);
  let inverse_lower = 1.0 / f32(c.y - b.y);
  let first_word = id.y * u32(HEIGHT * WIDTH / 32);
  let middle = first_centre(b.y, HEIGHT);
  let end = min(first_centre(c.y, HEIGHT), HEIGHT);
  for (var row = max(first_centre(a.y, HEIGHT), 0); row < end; row++) {
    let y = (2 * row + 1 - HEIGHT) << (SUB_PIXEL_BITS - 1u);
    let lower = row >= middle;
    let inverse_short = select(inverse_upper, inverse_lower, lower);
    let long = first_centre(crossing(a, c, y, inverse_long), WIDTH);
    let short = first_centre(crossing(select(a, b, lower), select(b, c, lower), y, inverse_short), WIDTH);
    let left = max(min(long, short), 0);
    let right = min(max(long, short), WIDTH);
    for (var x = left; x < right; x = (x | 31) + 1) {
      let last = min(right - 1, x | 31);
      let bits = (0xffffffffu << u32(x & 31)) & (0xffffffffu >> u32(31 - (last & 31)));
      atomicOr(&masks[first_word + u32((row * WIDTH + x) / 32)], bits);
    }
  }
}

fn corner(at: u32) -> vec2i {
  let word = bitcast<i32>(corners[at]);
  return vec2i((word << 16u) >> 16u, word >> 16u);
}

// The first row or column, of `size`, whose centre is not before `coordinate`.
fn first_centre(coordinate: i32, size: i32) -> i32 {
  let half = 1 << (SUB_PIXEL_BITS - 1u);
  return (coordinate + size * half + half - 1) >> SUB_PIXEL_BITS;
}
