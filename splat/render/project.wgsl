// Projects Gaussians to splats (EWA splatting, Zwicker et al. 2001, with the conventions of a RenderProfile).
//   d = mean - eye,  p = R d,  mean on screen = (fx X/Z + cx, fy Y/Z + cy)
//   A = J R Rq diag(scale)  [2, 3],  covariance = A A^T + dilation I
//   det(A A^T) = |row 0 x row 1|^2 (Cauchy-Binet), so that a needle's thin side is not lost in a difference
// All of it in double-float: beside the camera a splat's mean may lie a million pixels away from what is seen of it.
//
// Dispatch: (ceil(slots / 64), views). One invocation a (view, Gaussian).
// frame      [1]             sizes
// views      [views]         job table
// gaussians  [all scenes]    parameters
// splats     [views, slots]  out, in scene order
// depths     [views, slots]  out, sort keys as double-float
// Deterministic: invocations write disjoint slots and read nothing that is written.

override dilation: f32;
override compensate: bool;
override sort_by_distance: bool;
override near: f32;
override far: f32;
override normalize_quaternion: bool;
override min_scale: f32;
override clamp_color: bool;
override skip_singular: bool;
override det_floor: f32;
override pixel_center: f32;
// 0: none, 1: three sigma of the longer axis, 2: 3.33 sigma or 1/255 along x and y.
override extent: u32;
override alpha_min: f32;
// What all Gaussians that are left out at a pixel may add up to there; 0 leaves none out.
override alpha_budget: f32;

@group(0) @binding(0) var<storage, read> frame: array<Frame>;
@group(0) @binding(1) var<storage, read> views: array<View>;
@group(0) @binding(2) var<storage, read> gaussians: array<Gaussian>;
@group(0) @binding(3) var<storage, read_write> splats: array<Splat>;
@group(0) @binding(4) var<storage, read_write> depths: array<vec2f>;

const HUGE = 1e30;
// sqrt(log2(e) / 2) as double-float: exp(-q / 2) = exp2(-power).
const ROOT_SCALE = vec2f(0.84932178, 1.7699060e-8);

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= views[id.y].count) {
    return;
  }
  let view = views[id.y];
  opaque_zero = view.zero;
  let gaussian = gaussians[view.first + id.x];
  let slot = id.y * frame[0].slots + id.x;
  splats[slot].cut = -1.0;
  depths[slot] = Wide(3e38, 0.0);

  let axis_z = wide3(view.axis_z, view.axis_z_low);
  let d = wide3_subtract(wide3(gaussian.mean, gaussian.mean_low), wide3(view.eye, view.eye_low));
  let z = wide_dot(axis_z, d);
  if (!(z.x > near && z.x < far)) {
    return;
  }
  let axis_x = wide3(view.axis_x, view.axis_x_low);
  let axis_y = wide3(view.axis_y, view.axis_y_low);
  let slope_x = wide_divide(wide_dot(axis_x, d), z);
  let slope_y = wide_divide(wide_dot(axis_y, d), z);
  let focal_x = Wide(view.lens.x, view.lens_low.x);
  let focal_y = Wide(view.lens.y, view.lens_low.y);
  let mean_x = wide_add(wide_multiply(focal_x, slope_x), Wide(view.lens.z, view.lens_low.z));
  let mean_y = wide_add(wide_multiply(focal_y, slope_y), Wide(view.lens.w, view.lens_low.w));

  // Rows of J R, then of A, in units of `unit` pixels: the square of 1e6 / near would not fit.
  let at_x = wide_clamp(slope_x, Wide(view.limits.x, view.limits_low.x), Wide(view.limits.z, view.limits_low.z));
  let at_y = wide_clamp(slope_y, Wide(view.limits.y, view.limits_low.y), Wide(view.limits.w, view.limits_low.w));
  let rotation = rotation_rows(gaussian);
  let scale = wide3(gaussian.scale, gaussian.scale_low);
  var row_x = own_axes(rotation, wide3_scale(wide3_subtract(axis_x, wide3_scale(axis_z, at_x)), wide_divide(focal_x, z)), scale);
  var row_y = own_axes(rotation, wide3_scale(wide3_subtract(axis_y, wide3_scale(axis_z, at_y)), wide_divide(focal_y, z)), scale);
  let unit = power_of_two_above(max(max(largest(row_x), largest(row_y)), sqrt(dilation)));
  row_x = wide3_scale(row_x, Wide(1.0 / unit, 0.0));
  row_y = wide3_scale(row_y, Wide(1.0 / unit, 0.0));

  let spread = Wide(dilation / unit / unit, 0.0);
  let bare_xx = wide_dot(row_x, row_x);
  let bare_yy = wide_dot(row_y, row_y);
  let xx = wide_add(bare_xx, spread);
  let yy = wide_add(bare_yy, spread);
  let xy = wide_dot(row_x, row_y);
  let minors = wide_cross(row_x, row_y);
  let bare_det = wide_dot(minors, minors);
  let det = wide_add(bare_det, wide_multiply(spread, wide_add(xx, bare_yy)));
  if (skip_singular && !(det.x > 0.0)) {
    return;
  }
  var divisor = det;
  if (!skip_singular) {
    divisor = wide_max(det, Wide(det_floor / unit / unit / unit / unit, 0.0));
  }

  // Cholesky root of the inverse [[yy, -xy], [-xy, xx]] / divisor.
  let to_power = wide_multiply(ROOT_SCALE, Wide(1.0 / unit, 0.0));
  var root_x = wide_multiply(to_power, wide_root(wide_divide(yy, divisor)));
  var root_y = wide_multiply(root_x, wide_divide(-xy, yy));
  var root_z = wide_multiply(to_power, wide_root(wide_divide(wide_divide(det, divisor), yy)));
  if (yy.x == 0.0) {
    root_x = Wide(0.0);
    root_y = Wide(0.0);
    root_z = wide_multiply(to_power, wide_root(wide_divide(xx, divisor)));
  }

  let last = vec2f(f32(frame[0].width - 1u), f32(frame[0].height - 1u));
  let anchor = clamp(round(vec2f(mean_x.x, mean_y.x) - pixel_center), vec2f(0.0), last) + pixel_center;
  let away_x = wide_subtract(Wide(anchor.x, 0.0), mean_x);
  let away_y = wide_subtract(Wide(anchor.y, 0.0), mean_y);
  let offset = vec2f(
    wide_add(wide_multiply(root_x, away_x), wide_multiply(root_y, away_y)).x,
    wide_multiply(root_z, away_y).x,
  );
  var opacity = gaussian.opacity;
  if (compensate) {
    opacity *= sqrt(max(0.0, bare_det.x / det.x));
  }
  let root = vec3f(root_x.x, root_y.x, root_z.x);
  // NaN fails every comparison, and with it the splat.
  if (!(all(abs(root) < vec3f(HUGE)) && all(abs(offset) < vec2f(HUGE)) && opacity > 0.0 && opacity < HUGE)) {
    return;
  }

  depths[slot] = z;
  if (sort_by_distance) {
    depths[slot] = wide_dot(d, d);
  }
  var splat = Splat(anchor, offset, root, opacity, gaussian.color, HUGE, vec4f(-HUGE, -HUGE, HUGE, HUGE));
  if (clamp_color) {
    splat.color = clamp(gaussian.color, vec3f(0.0), vec3f(1.0));
  }
  if (alpha_budget > 0.0) {
    // Of N Gaussians each may be left out where its alpha is below budget / N. Skipped alphas are left out exactly;
    // 0.01 in the power makes up for rounding.
    splat.cut = log2(opacity / max(alpha_min, alpha_budget / f32(view.count))) + 0.01;
  }
  let center = vec2f(mean_x.x, mean_y.x);
  if (extent == 1u) {
    let half_sum = 0.5 * (xx.x + yy.x);
    let half_difference = 0.5 * (bare_xx.x - bare_yy.x);
    let floor_square = 0.1 / unit / unit / unit / unit;
    let major = half_sum + sqrt(max(floor_square, half_difference * half_difference + xy.x * xy.x));
    let radius = ceil(3.0 * unit * sqrt(major));
    let integer = center - pixel_center;
    splat.reach = 16.0 * vec4f(floor((integer - radius) / 16.0), floor((integer + radius + 15.0) / 16.0));
  }
  if (extent == 2u) {
    // An opacity below 1/255 has no extent at all; the root of a negative number would be NaN.
    let sigmas = min(3.33, sqrt(max(0.0, 2.0 * log(opacity * 255.0))));
    let radius = ceil(sigmas * unit * sqrt(vec2f(xx.x, yy.x)));
    splat.reach = 16.0 * vec4f(floor((center - radius) / 16.0), ceil((center + radius) / 16.0));
    splat.cut = select(splat.cut, -1.0, opacity < 1.0 / 255.0);
  }
  splats[slot] = splat;
}

// Dot products of a world vector with the Gaussian's own axes, times its scales.
fn own_axes(rotation: array<Wide3, 3>, vector: Wide3, scale: Wide3) -> Wide3 {
  let x = wide3_scale(rotation[0], vector.x);
  let y = wide3_scale(rotation[1], vector.y);
  let z = wide3_scale(rotation[2], vector.z);
  let floor_scale = Wide(min_scale, 0.0);
  return Wide3(
    wide_multiply(wide_add(wide_add(x.x, y.x), z.x), wide_max(scale.x, floor_scale)),
    wide_multiply(wide_add(wide_add(x.y, y.y), z.y), wide_max(scale.y, floor_scale)),
    wide_multiply(wide_add(wide_add(x.z, y.z), z.z), wide_max(scale.z, floor_scale)),
  );
}

// Rotation matrix by rows: 1 - 2 (y^2 + z^2) and so on, with 2 / |q|^2 in place of 2 where quaternions are normalised.
fn rotation_rows(gaussian: Gaussian) -> array<Wide3, 3> {
  let w = Wide(gaussian.quaternion.x, gaussian.quaternion_low.x);
  let axis = wide3(gaussian.quaternion.yzw, gaussian.quaternion_low.yzw);
  let one = Wide(1.0, 0.0);
  var two = Wide(2.0, 0.0);
  if (normalize_quaternion) {
    two = wide_divide(two, wide_add(wide_multiply(w, w), wide_dot(axis, axis)));
  }
  let a = wide3_scale(axis, two);
  let xx = wide_multiply(a.x, axis.x);
  let yy = wide_multiply(a.y, axis.y);
  let zz = wide_multiply(a.z, axis.z);
  let xy = wide_multiply(a.x, axis.y);
  let xz = wide_multiply(a.x, axis.z);
  let yz = wide_multiply(a.y, axis.z);
  let wx = wide_multiply(a.x, w);
  let wy = wide_multiply(a.y, w);
  let wz = wide_multiply(a.z, w);
  return array<Wide3, 3>(
    Wide3(wide_subtract(one, wide_add(yy, zz)), wide_subtract(xy, wz), wide_add(xz, wy)),
    Wide3(wide_add(xy, wz), wide_subtract(one, wide_add(xx, zz)), wide_subtract(yz, wx)),
    Wide3(wide_subtract(xz, wy), wide_add(yz, wx), wide_subtract(one, wide_add(xx, yy))),
  );
}

fn wide_max(a: Wide, b: Wide) -> Wide {
  return select(a, b, wide_less(a, b));
}

fn wide_clamp(a: Wide, low: Wide, high: Wide) -> Wide {
  let raised = wide_max(a, low);
  return select(raised, high, wide_less(high, raised));
}

fn largest(a: Wide3) -> f32 {
  return max(abs(a.x.x), max(abs(a.y.x), abs(a.z.x)));
}

// Least power of two above a, so that dividing by it rounds nothing; 1 for 0.
fn power_of_two_above(a: f32) -> f32 {
  let exponent = bitcast<u32>(a) >> 23u;
  return select(bitcast<f32>(min(exponent + 1u, 253u) << 23u), 1.0, exponent == 0u);
}
