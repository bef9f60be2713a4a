// One step of Adam (Kingma & Ba, arXiv:1412.6980) on all parameters:
//   m = b1 m + (1 - b1) g,  v = b2 v + (1 - b2) g^2,  x -= rate m^ / (sqrt(v^) + eps),  m^ and v^ corrected for their start
//
// Dispatch: ceil(floats / 64). One invocation a float of a parameter record.
// clock       [1]       the step
// schedule    [steps]   factor for means, factor for the rest, 1 / (1 - b1^t), 1 / (1 - b2^t)
// rates       [16]      step size by the float's place in its record; 0 for padding
// gradients   [floats]
// parameters  [floats]  in, out
// moments     [floats]  in, out: m, v
// Deterministic: invocations write disjoint floats.

override beta_1: f32;
override beta_2: f32;
override epsilon: f32;
override least_log_scale: f32;
override most_log_scale: f32;

@group(0) @binding(0) var<storage, read> clock: array<u32>;
@group(0) @binding(1) var<storage, read> schedule: array<vec4f>;
@group(0) @binding(2) var<storage, read> rates: array<f32>;
@group(0) @binding(3) var<storage, read> gradients: array<f32>;
@group(0) @binding(4) var<storage, read_write> parameters: array<f32>;
@group(0) @binding(5) var<storage, read_write> moments: array<vec2f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&parameters)) {
    return;
  }
  let place = id.x % 16u;
  let now = schedule[clock[0]];
  let rate = rates[place] * select(now.y, now.x, place < 3u);
  let g = gradients[id.x];
  let m = beta_1 * moments[id.x].x + (1.0 - beta_1) * g;
  let v = beta_2 * moments[id.x].y + (1.0 - beta_2) * g * g;
  moments[id.x] = vec2f(m, v);
  var value = parameters[id.x] - rate * (m * now.z) / (sqrt(v * now.w) + epsilon);
  if (place >= 4u && place < 7u) {
    value = clamp(value, least_log_scale, most_log_scale);
  }
  parameters[id.x] = value;
}
