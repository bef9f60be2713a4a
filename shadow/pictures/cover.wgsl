// Finds the triangle that is nearest to the camera at each sample, in two runs: the first keeps the largest nearness,
// the second, of the triangles that have it, the least index. Both are one pipeline and the run is data, so that the
// nearness that the second finds again is the first's, bit for bit.
//   weights = areas of (p, side) / area,  nearness = weights . nearness of the corners, which is linear on the picture
//
// Dispatch: (ceil(triangles / 64), pictures). One invocation a (picture, triangle).
// skin       [1]                   sizes
// pictures   [pictures]            job table
// triangles  [triangles, 3]        vertex indices
// posed      [pictures, vertices]  projected skin
// run        [1]                   0 or 1
// nearest    [samples]             in and out, bits of the largest nearness (positive floats sort as integers); 0: none
// winners    [samples]             in and out, ~index of the triangle seen; 0: none
// Deterministic: integers decide what is covered, a shared side belongs to one triangle, and maxima have no order.

override least_w: f32;

@group(0) @binding(0) var<storage, read> skin: array<Skin>;
@group(0) @binding(1) var<storage, read> pictures: array<Picture>;
@group(0) @binding(2) var<storage, read> triangles: array<u32>;
@group(0) @binding(3) var<storage, read> posed: array<PosedVertex>;
@group(0) @binding(4) var<storage, read> run: array<u32>;
@group(0) @binding(5) var<storage, read_write> nearest: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> winners: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= skin[0].triangles) {
    return;
  }
  let picture = pictures[id.y];
  let first = id.y * skin[0].vertices;
  let a = posed[first + triangles[3u * id.x]];
  let b = posed[first + triangles[3u * id.x + 1u]];
  let c = posed[first + triangles[3u * id.x + 2u]];
  let f = facet(a.place, b.place, c.place);
  if (!(a.w > least_w && b.w > least_w && c.w > least_w) || f.area <= 0) {
    return;
  }
  // Corners b and c change places in a facet.
  let nearness = vec3f(a.nearness, c.nearness, b.nearness);
  let open = vec3i(open_side(f.c - f.b), open_side(f.a - f.c), open_side(f.b - f.a));

  let size = vec2i(i32(picture.width), i32(picture.height));
  let least = max((min(f.a, min(f.b, f.c)) + 3) >> vec2u(3u), vec2i(0));
  let most = min((max(f.a, max(f.b, f.c)) - 4) >> vec2u(3u), size - 1);
  for (var y = least.y; y <= most.y; y++) {
    for (var x = least.x; x <= most.x; x++) {
      let weights = facet_weights(f, sample_centre(vec2i(x, y)));
      if (any(weights < open)) {
        continue;
      }
      let key = bitcast<u32>(dot(vec3f(weights), nearness) / f32(f.area));
      let at = picture.first_sample + u32(y * size.x + x);
      if (run[0] == 0u) {
        atomicMax(&nearest[at], key);
      } else if (atomicLoad(&nearest[at]) == key) {
        atomicMax(&winners[at], ~id.x);
      }
    }
  }
}

// Least weight of a sample inside: a sample on a side belongs to the triangle on that side's right or below it.
fn open_side(along: vec2i) -> i32 {
  return select(1, 0, along.y < 0 || (along.y == 0 && along.x > 0));
}
