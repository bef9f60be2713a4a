// The separable SSIM window of 11 taps over strips of 4 neighbouring pixels, and sums of strips.

override TAP_0: f32;          // factors by distance from the middle; they sum to 1 over the 11
override TAP_1: f32;
override TAP_2: f32;
override TAP_3: f32;
override TAP_4: f32;
override TAP_5: f32;

// Three quantities of three channels of 4 neighbouring pixels.
struct Nine {
  a: mat3x4f,
  b: mat3x4f,
  c: mat3x4f,
}

// A row of 14 pixels by channel: 4 in the middle, 4 before and 4 behind these, and one further on each side.
struct Row {
  first: vec3f,
  left: mat3x4f,
  middle: mat3x4f,
  right: mat3x4f,
  last: vec3f,
}

fn blur_row(row: Row) -> mat3x4f {
  return mat3x4f(
    blur(row.first.x, row.left[0], row.middle[0], row.right[0], row.last.x),
    blur(row.first.y, row.left[1], row.middle[1], row.right[1], row.last.y),
    blur(row.first.z, row.left[2], row.middle[2], row.right[2], row.last.z),
  );
}

// Blurs 14 values in a row to the 4 in their middle: `left` and `right` are the 4 before and behind these, `first` and
// `last` one further.
fn blur(first: f32, left: vec4f, middle: vec4f, right: vec4f, last: f32) -> vec4f {
  return TAP_0 * middle
    + TAP_1 * (vec4f(left.w, middle.xyz) + vec4f(middle.yzw, right.x))
    + TAP_2 * (vec4f(left.zw, middle.xy) + vec4f(middle.zw, right.xy))
    + TAP_3 * (vec4f(left.yzw, middle.x) + vec4f(middle.w, right.xyz))
    + TAP_4 * (left + right)
    + TAP_5 * (vec4f(first, left.xyz) + vec4f(right.yzw, last));
}

// Adds a blurred row to windows that see it `tap` strong.
fn plus(sum: Nine, tap: f32, row: Nine) -> Nine {
  return Nine(sum.a + tap * row.a, sum.b + tap * row.b, sum.c + tap * row.c);
}
