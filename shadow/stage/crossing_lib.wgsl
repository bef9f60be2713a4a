// The smallest integer not left of where the edge, start.y <= y < stop.y, crosses y. A float's quotient, within 0.02 of
// the true one, saves a slow integer division; the remainder, exact, puts it right.
fn crossing(start: vec2i, stop: vec2i, y: i32, inverse_rise: f32) -> i32 {
  let rise = stop.y - start.y;
  let product = (y - start.y) * (stop.x - start.x);
  let quotient = i32(f32(product) * inverse_rise);
  let rest = product - quotient * rise;
  return start.x + quotient + select(0, 1, rest > 0) + select(0, 1, rest > rise) - select(0, 1, rest <= -rise);
}
