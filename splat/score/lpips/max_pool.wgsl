// Greatest value of each SIZE x SIZE window, every second pixel. Windows may stick out to the right and below.
//
// Dispatch: one invocation a pixel of the output, [width / 8, height / 8, views * channels] groups of 8 x 8.
// Deterministic: each invocation owns its pixel.

override SIZE: u32;

@group(0) @binding(0) var<storage, read> shape: PoolShape;
@group(0) @binding(1) var<storage, read> input: array<f32>;         // [views, channels, rows, stride]
@group(0) @binding(2) var<storage, read_write> output: array<f32>;  // [views, channels, rows, stride]

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.width || id.y >= shape.height) {
    return;
  }
  let plane = id.z * shape.inputPlane + shape.inputStart;
  let right = min(2u * id.x + SIZE, shape.inputWidth);
  let bottom = min(2u * id.y + SIZE, shape.inputHeight);
  var greatest = 0f; // what a ReLU made is not less
  for (var y = 2u * id.y; y < bottom; y++) {
    for (var x = 2u * id.x; x < right; x++) {
      greatest = max(greatest, input[plane + y * shape.inputStride + x]);
    }
  }
  output[id.z * shape.outputPlane + shape.outputStart + id.y * shape.outputStride + id.x] = greatest;
}
