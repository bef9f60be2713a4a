// What the metric kernels agree on: blocks and the pixels of photos.

// Pixels of a picture that one invocation looks after.
const BLOCK_WIDTH = 4u;
const BLOCK_HEIGHT = 16u;

// 1/255 in two parts: the first product below is exact, so that the sum is the float32 nearest to v/255 for all v, and a
// picture rendered as its photo has no difference from it.
const INVERSE_255_HIGH = 0x1.01p-8f;
const INVERSE_255_LOW = 0x1.010102p-24f;

// Colour in [0, 1] of a photo pixel, r | g << 8 | b << 16 | silhouette << 24.
fn photo_color(pixel: u32) -> vec3f {
  let value = vec3f(vec3u(pixel, pixel >> 8u, pixel >> 16u) & vec3u(255u));
  return value * INVERSE_255_HIGH + value * INVERSE_255_LOW;
}
