// The length that LPIPS divides a pixel's features by, from their squares' sum, for four pixels. The small number lies
// outside of the root, as in the original, so that features of zeros stay zeros.
fn feature_length(squares: vec4f) -> vec4f {
  return sqrt(squares) + 1e-10;
}
