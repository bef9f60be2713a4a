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

// Whether any pixel differs from its photo in the blocks up to `reach` columns and one row away; NaN counts. Reads the
// bindings `grid` and `differences` of the kernel.
fn any_difference(id: vec3u, reach: u32) -> bool {
  let step = vec2u(reach, 1u);
  let first = max(id.xy, step) - step;
  let last = min(id.xy + step, vec2u(grid.columns, grid.rows) - 1u);
  var equal = true;
  for (var y = first.y; y <= last.y; y++) {
    for (var x = first.x; x <= last.x; x++) {
      equal = equal && differences[(id.z * grid.rows + y) * grid.columns + x].x == 0.0;
    }
  }
  return !equal;
}
