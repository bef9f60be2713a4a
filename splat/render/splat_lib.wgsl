// A splat is a Gaussian on the screen. At the sample point x (pixels) its alpha before clamping is
//   opacity exp2(-power),   power = (offset.x + root.x dx + root.y dy)^2 + (offset.y + root.z dy)^2,   d = x - anchor
// where [[root.x, root.y], [0, root.z]] is the Cholesky root of the inverse covariance, times sqrt(log2(e) / 2), and
// offset is that root times (anchor - mean). A sum of squares never turns negative, however thin the splat. The anchor
// is the sample point nearest to the mean inside the image, so that d is exact and small even where the mean is a
// million pixels away.
//
// `cut`: the splat is nowhere drawn where power > cut; negative for a splat that is not drawn at all.
// `reach`: half-open pixel rectangle (x0, y0, x1, y1) outside which the profile's extent rule ends it.

// Whether the splat may matter to a pixel of a rectangle: `first` and `last` are its pixels at two opposite corners.
// Exact up to the rounding that `cut` leaves room for. Comparisons are phrased so that NaN keeps the splat.
fn touches(splat: Splat, first: vec2f, last: vec2f, pixel_center: f32) -> bool {
  if (splat.cut < 0.0 || any(last < splat.reach.xy) || any(first >= splat.reach.zw)) {
    return false;
  }
  let low = first + pixel_center - splat.anchor;
  let high = last + pixel_center - splat.anchor;
  return !(least_power(splat, low, high) > splat.cut);
}

// Minimum of the power over the rectangle low <= d <= high: 0 if it holds the mean, else the least over its two sides
// that face the mean. (The power is convex, so on the way from any point to the mean it falls, and that way leaves
// through such a side.)
fn least_power(splat: Splat, low: vec2f, high: vec2f) -> f32 {
  let root = splat.root;
  // The mean lies where both squares vanish: dy = -offset.y / root.z, dx likewise; multiplied out, as roots may underflow.
  let mean_y = -splat.offset.y;
  let mean_x = root.y * splat.offset.y - splat.offset.x * root.z;
  let left = mean_x < low.x * root.x * root.z;
  let right = mean_x > high.x * root.x * root.z;
  let above = mean_y < low.y * root.z;
  let below = mean_y > high.y * root.z;
  if (!(left || right || above || below)) {
    return 0.0;
  }
  let column = least_on_column(splat, select(high.x, low.x, left), low.y, high.y);
  return min(column, least_on_row(splat, select(high.y, low.y, above), low.x, high.x));
}

fn least_on_column(splat: Splat, dx: f32, low: f32, high: f32) -> f32 {
  let at = splat.offset.x + splat.root.x * dx;
  let slope = splat.root.yz;
  let dy = clamp(-dot(vec2f(at, splat.offset.y), slope) / dot(slope, slope), low, high);
  let power = vec2f(at, splat.offset.y) + slope * dy;
  return dot(power, power);
}

fn least_on_row(splat: Splat, dy: f32, low: f32, high: f32) -> f32 {
  let at = splat.offset + splat.root.yz * dy;
  let x = at.x + splat.root.x * clamp(-at.x / splat.root.x, low, high);
  return x * x + at.y * at.y;
}
