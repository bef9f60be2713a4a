// The separable SSIM window of 11 taps over strips of 4 neighbouring pixels.

override TAP_0: f32;          // factors by distance from the middle; they sum to 1 over the 11
override TAP_1: f32;
override TAP_2: f32;
override TAP_3: f32;
override TAP_4: f32;
override TAP_5: f32;

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
