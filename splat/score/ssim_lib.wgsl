// The separable SSIM window of 11 taps, over 4 neighbouring places at once, and the pixels that go into it.

override TAP_0: f32;          // factors by distance from the middle; they sum to 1 over the 11, and shorter windows
override TAP_1: f32;          // have outer factors of 0
override TAP_2: f32;
override TAP_3: f32;
override TAP_4: f32;
override TAP_5: f32;

// A pixel of a pair: photo y, and d = x - y with render x; each relative to what the caller chose.
struct Pixel {
  d: vec3f,
  y: vec3f,
}

// Sums over part of a window, for 4 neighbouring windows.
struct Moments {
  d: mat4x3f,
  y: mat4x3f,
  dd: mat4x3f,
  xy: mat4x3f,
}

// A row of 14 values, blurred to its 4 middle places.
fn blur(
  a: vec3f, b: vec3f, c: vec3f, d: vec3f, e: vec3f, f: vec3f, g: vec3f,
  h: vec3f, i: vec3f, j: vec3f, k: vec3f, l: vec3f, m: vec3f, n: vec3f,
) -> mat4x3f {
  return mat4x3f(
    TAP_0 * f + TAP_1 * (e + g) + TAP_2 * (d + h) + TAP_3 * (c + i) + TAP_4 * (b + j) + TAP_5 * (a + k),
    TAP_0 * g + TAP_1 * (f + h) + TAP_2 * (e + i) + TAP_3 * (d + j) + TAP_4 * (c + k) + TAP_5 * (b + l),
    TAP_0 * h + TAP_1 * (g + i) + TAP_2 * (f + j) + TAP_3 * (e + k) + TAP_4 * (d + l) + TAP_5 * (c + m),
    TAP_0 * i + TAP_1 * (h + j) + TAP_2 * (g + k) + TAP_3 * (f + l) + TAP_4 * (e + m) + TAP_5 * (d + n),
  );
}

// Adds a blurred row to windows that see it `tap` strong.
fn plus(sum: Moments, tap: f32, row: Moments) -> Moments {
  return Moments(
    sum.d + tap * row.d,
    sum.y + tap * row.y,
    sum.dd + tap * row.dd,
    sum.xy + tap * row.xy,
  );
}

// x y of a pixel, with x = y + d.
fn product(p: Pixel) -> vec3f {
  return (p.y + p.d) * p.y;
}

// Added in pairs, which keeps the average of equal pixels exact.
fn average(a: Pixel, b: Pixel, c: Pixel, d: Pixel) -> Pixel {
  return Pixel(0.25f * ((a.d + b.d) + (c.d + d.d)), 0.25f * ((a.y + b.y) + (c.y + d.y)));
}
