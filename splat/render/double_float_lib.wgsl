// Double-float arithmetic: a Wide is the unevaluated sum of two f32, high (x) and low (y), with about 48 bits.
// T. J. Dekker, "A floating-point technique for extending the available precision" (1971); add and divide after
// Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic" (2017).
//
// Compilers may turn (a + b) - a into b, which is what these algorithms live on, and Mesa does. `opaque` stands in
// their way: it flips no bits, but the zero it flips them with comes from a buffer.

alias Wide = vec2f;

struct Wide3 {
  x: Wide,
  y: Wide,
  z: Wide,
}

// Set by `main` from a value that is 0.
var<private> opaque_zero: u32;

fn opaque(a: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(a) ^ opaque_zero);
}

// Needs |a| >= |b|.
fn fast_two_sum(a: f32, b: f32) -> Wide {
  let sum = opaque(a + b);
  return Wide(sum, b - opaque(sum - a));
}

fn two_sum(a: f32, b: f32) -> Wide {
  let sum = opaque(a + b);
  let of_b = opaque(sum - a);
  return Wide(sum, (a - opaque(sum - of_b)) + (b - of_b));
}

// Halves of 12 bits, whose products are exact.
fn split(a: f32) -> vec2f {
  let big = opaque(4097.0 * a);
  let high = opaque(big - opaque(big - a));
  return vec2f(high, a - high);
}

fn two_product(a: f32, b: f32) -> Wide {
  let product = opaque(a * b);
  let p = split(a);
  let q = split(b);
  return Wide(product, ((p.x * q.x - product) + p.x * q.y + p.y * q.x) + p.y * q.y);
}

fn wide_add(a: Wide, b: Wide) -> Wide {
  let high = two_sum(a.x, b.x);
  let low = two_sum(a.y, b.y);
  let partial = fast_two_sum(high.x, high.y + low.x);
  return fast_two_sum(partial.x, low.y + partial.y);
}

fn wide_subtract(a: Wide, b: Wide) -> Wide {
  return wide_add(a, -b);
}

fn wide_multiply(a: Wide, b: Wide) -> Wide {
  let high = two_product(a.x, b.x);
  return fast_two_sum(high.x, high.y + (a.x * b.y + a.y * b.x));
}

fn wide_divide(a: Wide, b: Wide) -> Wide {
  let high = a.x / b.x;
  let rest = wide_subtract(a, wide_multiply(b, Wide(high, 0.0)));
  return fast_two_sum(high, (rest.x + rest.y) / b.x);
}

fn wide_root(a: Wide) -> Wide {
  if (!(a.x > 0.0)) {
    return Wide(0.0);
  }
  let high = sqrt(a.x);
  let rest = wide_subtract(a, two_product(high, high));
  return fast_two_sum(high, (rest.x + rest.y) / (2.0 * high));
}

fn wide_less(a: Wide, b: Wide) -> bool {
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}

fn wide3(high: vec3f, low: vec3f) -> Wide3 {
  return Wide3(Wide(high.x, low.x), Wide(high.y, low.y), Wide(high.z, low.z));
}

fn wide3_subtract(a: Wide3, b: Wide3) -> Wide3 {
  return Wide3(wide_subtract(a.x, b.x), wide_subtract(a.y, b.y), wide_subtract(a.z, b.z));
}

fn wide3_scale(a: Wide3, b: Wide) -> Wide3 {
  return Wide3(wide_multiply(a.x, b), wide_multiply(a.y, b), wide_multiply(a.z, b));
}

fn wide_dot(a: Wide3, b: Wide3) -> Wide {
  return wide_add(wide_add(wide_multiply(a.x, b.x), wide_multiply(a.y, b.y)), wide_multiply(a.z, b.z));
}

fn wide_cross(a: Wide3, b: Wide3) -> Wide3 {
  return Wide3(
    wide_subtract(wide_multiply(a.y, b.z), wide_multiply(a.z, b.y)),
    wide_subtract(wide_multiply(a.z, b.x), wide_multiply(a.x, b.z)),
    wide_subtract(wide_multiply(a.x, b.y), wide_multiply(a.y, b.x)),
  );
}
