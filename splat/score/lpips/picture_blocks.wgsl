// What the first convolution reads: colours scaled as LPIPS wants them, in blocks of block x block pixels,
//   output[c block^2 + j block + i, y, x] = (2 color_c - 1 - shift_c) / scale_c of pixel (x block + i, y block + j) - padding,
// and 0 outside of the picture. A colour outside of [-0.01, 1.01], or one that is no number, marks its pair.
//
// Dispatch: one invocation a block, [columns / 8, rows / 8, slots] groups of 8 x 8.
// Deterministic: invocations write disjoint places, except the mark, which all set to the same value.

@group(0) @binding(0) var<storage, read> shape: PictureShape;
@group(0) @binding(1) var<storage, read> slots: array<Slot>;                     // [slots] picture, photo, pair
@group(0) @binding(2) var<storage, read> pictures: array<vec4f>;                 // [pictures, height, width] RGB in [0, 1]
@group(0) @binding(3) var<storage, read_write> output: array<f32>;               // [slots, channels, rows, stride]
@group(0) @binding(4) var<storage, read_write> out_of_range: array<atomic<u32>>; // [pairs] 1 where marked

const SHIFT = vec3f(-0.030, -0.088, -0.188);
const SCALE = vec3f(0.458, 0.448, 0.450);

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.columns || id.y >= shape.rows) {
    return;
  }
  let slot = slots[id.z];
  let block = shape.block;
  let size = block * block;
  for (var at = 0u; at < size; at++) {
    let x = id.x * block + at % block - shape.padding; // wraps to a huge number left of the picture
    let y = id.y * block + at / block - shape.padding;
    var color = vec3f();
    if (x < shape.width && y < shape.height) {
      let seen = pictures[(slot.picture * shape.height + y) * shape.width + x].rgb;
      // Phrased so that NaN fails.
      if (!(all(seen >= vec3f(-0.01)) && all(seen <= vec3f(1.01)))) {
        atomicStore(&out_of_range[slot.pair], 1u);
      }
      color = (2f * seen - 1f - SHIFT) / SCALE;
    }
    let place = (id.z * 3u * size + at) * shape.plane + id.y * shape.stride + id.x;
    output[place] = color.r;
    output[place + size * shape.plane] = color.g;
    output[place + 2u * size * shape.plane] = color.b;
  }
}
