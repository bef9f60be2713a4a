// The separable SSIM window of 11 taps, over 8 neighbouring places at once, and the pixels that go into it.

override TAP_0: f32;          // factors by distance from the middle; they sum to 1 over the 11, and shorter windows
override TAP_1: f32;          // have outer factors of 0
override TAP_2: f32;
override TAP_3: f32;
override TAP_4: f32;
override TAP_5: f32;

// One channel of a pixel pair: photo y, and d = x - y with render x; each relative to what the caller chose.
struct Pixel {
  d: f32,
  y: f32,
}

// Sums over part of a window, for 8 neighbouring windows.
struct Moments {
  d: mat2x4f,
  y: mat2x4f,
  dd: mat2x4f,
  xy: mat2x4f,
}

// A row of 18 values, blurred to its 8 middle places.
fn blur(
  a: f32, b: f32, c: f32, d: f32, e: f32, f: f32, g: f32, h: f32, i: f32,
  j: f32, k: f32, l: f32, m: f32, n: f32, o: f32, p: f32, q: f32, r: f32,
) -> mat2x4f {
  return mat2x4f(
    TAP_0 * vec4f(f, g, h, i) +
      TAP_1 * (vec4f(e, f, g, h) + vec4f(g, h, i, j)) +
      TAP_2 * (vec4f(d, e, f, g) + vec4f(h, i, j, k)) +
      TAP_3 * (vec4f(c, d, e, f) + vec4f(i, j, k, l)) +
      TAP_4 * (vec4f(b, c, d, e) + vec4f(j, k, l, m)) +
      TAP_5 * (vec4f(a, b, c, d) + vec4f(k, l, m, n)),
    TAP_0 * vec4f(j, k, l, m) +
      TAP_1 * (vec4f(i, j, k, l) + vec4f(k, l, m, n)) +
      TAP_2 * (vec4f(h, i, j, k) + vec4f(l, m, n, o)) +
      TAP_3 * (vec4f(g, h, i, j) + vec4f(m, n, o, p)) +
      TAP_4 * (vec4f(f, g, h, i) + vec4f(n, o, p, q)) +
      TAP_5 * (vec4f(e, f, g, h) + vec4f(o, p, q, r)),
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
fn product(p: Pixel) -> f32 {
  return (p.y + p.d) * p.y;
}

// Added in pairs, which keeps the average of equal pixels exact.
fn average(a: Pixel, b: Pixel, c: Pixel, d: Pixel) -> Pixel {
  return Pixel(0.25f * ((a.d + b.d) + (c.d + d.d)), 0.25f * ((a.y + b.y) + (c.y + d.y)));
}
