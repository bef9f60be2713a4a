// Photo features of length 1 a pixel: output[c] = input[c] / (sqrt(sum over c of input[c]^2) + 1e-10).
//
// Dispatch: one invocation four pixels of a tensor, [plane / 64, slots] groups of 64.
// Deterministic: each invocation sums its pixels' channels in order.

@group(0) @binding(0) var<storage, read> shape: TapShape;
@group(0) @binding(1) var<storage, read> slots: array<Slot>;             // [slots] picture, photo, pair
@group(0) @binding(2) var<storage, read> input: array<vec4f>;            // [slots, channels, plane] of 4 pixels
@group(0) @binding(3) var<storage, read_write> output: array<vec4f>;     // [photos, channels, plane] of 4 pixels

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.plane) {
    return;
  }
  let first = id.y * shape.channels * shape.plane + id.x;
  let photo = slots[id.y].photo * shape.channels * shape.plane + id.x;
  var squares = vec4f();
  for (var channel = 0u; channel < shape.channels; channel++) {
    let feature = input[first + channel * shape.plane];
    squares += feature * feature;
  }
  let length = feature_length(squares);
  for (var channel = 0u; channel < shape.channels; channel++) {
    output[photo + channel * shape.plane] = input[first + channel * shape.plane] / length;
  }
}
