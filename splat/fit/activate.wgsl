// Turns free parameters into the Gaussians that are drawn:
//   scale = exp(log_scale),  opacity, color = 1 / (1 + exp(-x)),  quaternion / |quaternion|
//
// Dispatch: ceil(count / 64). One invocation a Gaussian.
// parameters  [count]
// gaussians   [count]  out
// Deterministic: invocations write disjoint Gaussians.

@group(0) @binding(0) var<storage, read> parameters: array<Parameters>;
@group(0) @binding(1) var<storage, read_write> gaussians: array<Gaussian>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&parameters)) {
    return;
  }
  let p = parameters[id.x];
  gaussians[id.x] = Gaussian(
    p.mean,
    1.0 / (1.0 + exp(-p.opacity)),
    vec3f(),
    exp(p.log_scale),
    vec3f(),
    p.quaternion / length(p.quaternion),
    vec4f(),
    1.0 / (1.0 + exp(-p.color)),
  );
}
