// How photos lie on the device.

// One channel in [0, 1] of a photo pixel, r | g << 8 | b << 16 | silhouette << 24.
//
// 1/255 = 257/2^16 + 1/(255 * 2^16), so v/255 is an exact term plus a small one: the sum is the float32 nearest to v/255 for
// every v, and a picture rendered as its photo has no difference from it. The first term is multiplied as an integer,
// since a compiler may join two float factors into the one constant 1/255, which is off for half of all v.
fn photo_channel(pixel: u32, channel: u32) -> f32 {
  let value = (pixel >> (8u * channel)) & 255u;
  return f32(value * 257u) * 0x1p-16f + f32(value) * 0x1.010102p-24f;
}

fn photo_color(pixel: u32) -> vec3f {
  return vec3f(photo_channel(pixel, 0u), photo_channel(pixel, 1u), photo_channel(pixel, 2u));
}
