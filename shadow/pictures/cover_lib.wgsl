// A triangle on the picture, in eighths of a sample; corners in the order that makes its area positive.
struct Facet {
  a: vec2i,
  b: vec2i,
  c: vec2i,
  // Doubled; not positive for triangles that show their back, or nothing.
  area: i32,
}

// Skin is counter-clockwise from outside, and rows count downward: what faces the camera runs clockwise there.
fn facet(a: vec2i, b: vec2i, c: vec2i) -> Facet {
  return Facet(a, c, b, cross2(c - a, b - a));
}

// Doubled areas of the triangles that p makes with the sides opposite a, b and c: barycentric weights times `area`.
fn facet_weights(f: Facet, p: vec2i) -> vec3i {
  return vec3i(cross2(f.c - f.b, p - f.b), cross2(f.a - f.c, p - f.c), cross2(f.b - f.a, p - f.a));
}

fn cross2(u: vec2i, v: vec2i) -> i32 {
  return u.x * v.y - u.y * v.x;
}

// Centre of a sample, eighths.
fn sample_centre(sample: vec2i) -> vec2i {
  return 8 * sample + 4;
}
