// A stand-in for the gradient of a picture, whose sums by Gaussian say what each one adds: 1 in red, the mean of |d| over
// channels in green.
//
// Dispatch: ceil(pixels / 64). One invocation a pixel of one view.
// grid      sizes, view and photo
// rendered  [views, height, width]
// photos    [photos, height, width] packed 8-bit
// upstream  [height, width]  out
// Deterministic: invocations write disjoint pixels.

@group(0) @binding(0) var<storage, read> grid: LossGrid;
@group(0) @binding(1) var<storage, read> rendered: array<vec4f>;
@group(0) @binding(2) var<storage, read> photos: array<u32>;
@group(0) @binding(3) var<storage, read_write> upstream: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let pixels = grid.width * grid.height;
  if (id.x >= pixels) {
    return;
  }
  let d = abs(rendered[grid.view * pixels + id.x].rgb - photo_color(photos[grid.photo * pixels + id.x]));
  upstream[id.x] = vec4f(1.0, (d.x + d.y + d.z) / 3.0, 0.0, 0.0);
}
