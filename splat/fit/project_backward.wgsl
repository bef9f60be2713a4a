// From the gradient by a splat on the screen to the gradient by a Gaussian's 14 parameters, summed over the
// views of a step.
// With A = J R Rq diag(scale) [2, 3], covariance = A A^T + dilation I, its inverse K = C^T C, and
// z = sqrt(log2(e) / 2) C (pixel - mean) as in splat_lib.wgsl, p = dL/dln(alpha):
//   dL/dmean2d = C^T sum(p z) / sqrt(log2(e) / 2),   G = dL/dcovariance = C^T sum(p z z^T) C / log2(e)
//   compensation sqrt(det0 / det):  G += sum(p) / 2 (K0 - K),   K0 = (K - dilation det(K) I) det / det0
//   dL/dA = 2 G A,  and from there by the chain rule (Ye & Kanazawa, arXiv:2312.02121).
// Where X/Z is clamped in J it does not move with the mean.
//
// Dispatch: ceil(count / 64). One invocation a Gaussian.
// views       [views]  job table of the drawing
// parameters  [count]
// sums        [views, count]  gradient by splats
// gradients   [count]  out
// Deterministic: invocations write disjoint Gaussians and add views in order.

override dilation: f32;
override compensate: bool;
override min_scale: f32;

@group(0) @binding(0) var<storage, read> views: array<View>;
@group(0) @binding(1) var<storage, read> parameters: array<Parameters>;
@group(0) @binding(2) var<storage, read> sums: array<SplatGradient>;
@group(0) @binding(3) var<storage, read_write> gradients: array<Parameters>;

// log2(e) and sqrt(log2(e) / 2).
const LOG2_E = 1.44269504;
const ROOT_SCALE = 0.84932180;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&parameters)) {
    return;
  }
  let p = parameters[id.x];
  var total = Parameters();
  for (var view = 0u; view < arrayLength(&views); view++) {
    let gradient = gradient_of(views[view], p, sums[view * arrayLength(&parameters) + id.x]);
    total.mean += gradient.mean;
    total.opacity += gradient.opacity;
    total.log_scale += gradient.log_scale;
    total.quaternion += gradient.quaternion;
    total.color += gradient.color;
  }
  gradients[id.x] = total;
}

fn gradient_of(view: View, p: Parameters, sum: SplatGradient) -> Parameters {
  let d = p.mean - view.eye;
  let x = dot(view.axis_x, d);
  let y = dot(view.axis_y, d);
  let z = dot(view.axis_z, d);
  let slope = vec2f(x, y) / z;
  let at = clamp(slope, view.limits.xy, view.limits.zw);
  // Rows of J R.
  let to_x = (view.lens.x / z) * (view.axis_x - at.x * view.axis_z);
  let to_y = (view.lens.y / z) * (view.axis_y - at.y * view.axis_z);

  let norm = length(p.quaternion);
  let q = p.quaternion / norm;
  let turn = rotation(q);
  let own_scale = exp(p.log_scale);
  let scale = max(own_scale, vec3f(min_scale));
  let along_x = to_x * turn;
  let along_y = to_y * turn;
  let a_x = along_x * scale;
  let a_y = along_y * scale;

  let bare = vec3f(dot(a_x, a_x), dot(a_x, a_y), dot(a_y, a_y));
  let xx = bare.x + dilation;
  let yy = bare.z + dilation;
  let minors = cross(a_x, a_y);
  let bare_det = dot(minors, minors);
  let det = bare_det + dilation * (xx + bare.z);
  let root_x = sqrt(yy / det);
  let root_y = -root_x * bare.y / yy;
  let root_z = inverseSqrt(yy);

  // C^T v and C^T M C with C = [[root_x, root_y], [0, root_z]].
  let mean_2d = vec2f(root_x * sum.first.y, root_y * sum.first.y + root_z * sum.first.z) / ROOT_SCALE;
  let m_xx = sum.first.w;
  let m_xy = sum.second.x;
  let m_yy = sum.second.y;
  var g_xx = root_x * root_x * m_xx / LOG2_E;
  var g_xy = root_x * (root_y * m_xx + root_z * m_xy) / LOG2_E;
  var g_yy = (root_y * root_y * m_xx + 2.0 * root_y * root_z * m_xy + root_z * root_z * m_yy) / LOG2_E;
  if (compensate) {
    let inverse = vec3f(yy, -bare.y, xx) / det;
    let bare_inverse = vec3f(bare.z, -bare.y, bare.x) / max(bare_det, 1e-12);
    let change = 0.5 * sum.first.x * (bare_inverse - inverse);
    g_xx += change.x;
    g_xy += change.y;
    g_yy += change.z;
  }

  let v_a_x = 2.0 * (g_xx * a_x + g_xy * a_y);
  let v_a_y = 2.0 * (g_xy * a_x + g_yy * a_y);
  let v_scale = v_a_x * along_x + v_a_y * along_y;
  let v_along_x = v_a_x * scale;
  let v_along_y = v_a_y * scale;
  let v_to_x = turn * v_along_x;
  let v_to_y = turn * v_along_y;

  let v_at = -vec2f(view.lens.x * dot(view.axis_z, v_to_x), view.lens.y * dot(view.axis_z, v_to_y)) / z;
  let v_slope = view.lens.xy * mean_2d + select(vec2f(), v_at, at == slope);
  let v_z = -(dot(to_x, v_to_x) + dot(to_y, v_to_y) + dot(v_slope, slope)) / z;
  let v_mean = view.axis_x * (v_slope.x / z) + view.axis_y * (v_slope.y / z) + view.axis_z * v_z;

  // Columns of dL/dRq: to_x v_along_x^T + to_y v_along_y^T.
  let e0 = to_x * v_along_x.x + to_y * v_along_y.x;
  let e1 = to_x * v_along_x.y + to_y * v_along_y.y;
  let e2 = to_x * v_along_x.z + to_y * v_along_y.z;
  let opacity = 1.0 / (1.0 + exp(-p.opacity));
  let color = 1.0 / (1.0 + exp(-p.color));
  let v_color = vec3f(sum.second.zw, sum.blue);
  return Parameters(
    v_mean,
    sum.first.x * (1.0 - opacity),
    select(vec3f(), v_scale * scale, own_scale >= vec3f(min_scale)),
    quaternion_gradient(q, e0, e1, e2) / norm,
    v_color * color * (1.0 - color),
  );
}

// Columns are where the Gaussian's own axes point.
fn rotation(q: vec4f) -> mat3x3f {
  let w = q.x;
  let x = q.y;
  let y = q.z;
  let z = q.w;
  return mat3x3f(
    vec3f(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
    vec3f(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
    vec3f(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
  );
}

// By a unit quaternion, without the part along it, which changes no rotation. e are the columns of dL/dRq.
fn quaternion_gradient(q: vec4f, e0: vec3f, e1: vec3f, e2: vec3f) -> vec4f {
  let w = q.x;
  let x = q.y;
  let y = q.z;
  let z = q.w;
  let v = 2.0 * vec4f(
    x * (e1.z - e2.y) + y * (e2.x - e0.z) + z * (e0.y - e1.x),
    -2.0 * x * (e1.y + e2.z) + y * (e0.y + e1.x) + z * (e0.z + e2.x) + w * (e1.z - e2.y),
    x * (e0.y + e1.x) - 2.0 * y * (e0.x + e2.z) + z * (e1.z + e2.y) + w * (e2.x - e0.z),
    x * (e0.z + e2.x) + y * (e1.z + e2.y) - 2.0 * z * (e0.x + e1.y) + w * (e0.y - e1.x),
  );
  return v - dot(v, q) * q;
}
