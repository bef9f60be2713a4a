// LPIPS of one tap, four pixels at a time: with features f of the render, of length 1 a pixel, and p of the photo,
//   partial = sum over pixels and channels of weight[c] (f[c] - p[c])^2 / (pixels of the tensor).
// Outside of the picture both are 0 and add nothing.
//
// Dispatch: one invocation four pixels of a tensor, [plane / 64, slots] groups of 64.
// Deterministic: each invocation sums its pixels' channels in order.

@group(0) @binding(0) var<storage, read> shape: TapShape;
@group(0) @binding(1) var<storage, read> slots: array<Slot>;           // [slots] picture, photo, pair
@group(0) @binding(2) var<storage, read> rendered: array<vec4f>;       // [slots, channels, plane] of 4 pixels
@group(0) @binding(3) var<storage, read> photos: array<vec4f>;         // [photos, channels, plane] of 4 pixels, length 1
@group(0) @binding(4) var<storage, read> weights: array<f32>;          // [channels]
@group(0) @binding(5) var<storage, read_write> partials: array<f32>;   // [pairs, planes of all taps]

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.plane) {
    return;
  }
  let slot = slots[id.y];
  let render = id.y * shape.channels * shape.plane + id.x;
  let photo = slot.photo * shape.channels * shape.plane + id.x;
  var squares = vec4f();
  for (var channel = 0u; channel < shape.channels; channel++) {
    let feature = rendered[render + channel * shape.plane];
    squares += feature * feature;
  }
  let length = feature_length(squares);
  var sum = vec4f();
  for (var channel = 0u; channel < shape.channels; channel++) {
    let at = channel * shape.plane;
    let difference = rendered[render + at] / length - photos[photo + at];
    sum += weights[channel] * difference * difference;
  }
  partials[slot.pair * shape.partials + shape.firstPartial + id.x] = (sum.x + sum.y + sum.z + sum.w) / shape.pixels;
}
