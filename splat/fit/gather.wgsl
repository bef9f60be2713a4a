// Sums each Gaussian's partial gradients over the tiles of a view. A tile is asked by the Gaussian's bit in its mask; only
// tiles in the box around where the splat is drawn are asked.
//
// Dispatch: ceil(slots / 64). One invocation a Gaussian of one view.
// frame      [1]                     sizes
// grid                               which view
// views      [views]                 job table of the drawing
// depths     [views, slots]          sort keys in scene order
// splats     [views, slots]          front to back
// masks      [views, words, tiles]   one bit a splat
// partials   [tiles, slots]
// sums       [views, slots]          out, in scene order
// Deterministic: each invocation sums in the order of tiles.

@group(0) @binding(0) var<storage, read> frame: array<Frame>;
@group(0) @binding(1) var<storage, read> grid: LossGrid;
@group(0) @binding(2) var<storage, read> views: array<View>;
@group(0) @binding(3) var<storage, read> depths: array<vec2f>;
@group(0) @binding(4) var<storage, read> splats: array<Splat>;
@group(0) @binding(5) var<storage, read> masks: array<u32>;
@group(0) @binding(6) var<storage, read> partials: array<SplatGradient>;
@group(0) @binding(7) var<storage, read_write> sums: array<SplatGradient>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let count = views[grid.view].count;
  if (id.x >= count) {
    return;
  }
  let slots = frame[0].slots;
  let rank = rank_of(grid.view * slots, id.x, count);
  let size = vec2u(frame[0].width, frame[0].height);
  let tiles = (size + vec2u(7u, 3u)) / vec2u(8u, 4u);
  let box = drawn_box(splats[grid.view * slots + rank], tiles);
  let row = (grid.view * frame[0].words + rank / 32u) * tiles.x * tiles.y;
  let bit = 1u << (rank & 31u);
  var sum = SplatGradient();
  for (var y = box.y; y < box.w; y++) {
    for (var tile = y * tiles.x + box.x; tile < y * tiles.x + box.z; tile++) {
      if ((masks[row + tile] & bit) != 0u) {
        let part = partials[tile * slots + rank];
        sum.first += part.first;
        sum.second += part.second;
        sum.blue += part.blue;
      }
    }
  }
  sums[grid.view * slots + id.x] = sum;
}

// The place rank_sort.wgsl gives a Gaussian.
fn rank_of(first: u32, index: u32, count: u32) -> u32 {
  let key = depths[first + index];
  var rank = 0u;
  for (var other = 0u; other < count; other++) {
    let depth = depths[first + other];
    let nearer = depth.x < key.x || (depth.x == key.x && depth.y < key.y);
    let equal = depth.x == key.x && depth.y == key.y;
    rank += select(0u, 1u, nearer || (equal && other < index));
  }
  return rank;
}

// Tiles that may draw the splat: first column and row, and one past the last. The ellipse power <= cut around the mean has half
// width sqrt(cut (R R^T)_xx) with R the inverse of the root. Two pixels more make up for rounding.
fn drawn_box(splat: Splat, tiles: vec2u) -> vec4u {
  if (splat.cut < 0.0) {
    return vec4u();
  }
  let whole = vec4u(0u, 0u, tiles);
  let inverse_x = 1.0 / splat.root.x;
  let inverse_z = 1.0 / splat.root.z;
  let shear = splat.root.y * inverse_z * inverse_x;
  let mean = splat.anchor - vec2f(inverse_x * splat.offset.x - shear * splat.offset.y, inverse_z * splat.offset.y);
  let half = sqrt(splat.cut) * vec2f(sqrt(inverse_x * inverse_x + shear * shear), inverse_z) + 2.0;
  let low = (mean - half) / vec2f(8.0, 4.0);
  let high = (mean + half) / vec2f(8.0, 4.0);
  if (!(all(abs(low) < vec2f(1e6)) && all(abs(high) < vec2f(1e6)))) {
    return whole;
  }
  let first = vec2u(clamp(floor(low), vec2f(0.0), vec2f(tiles)));
  let end = vec2u(clamp(floor(high) + 1.0, vec2f(0.0), vec2f(tiles)));
  return vec4u(first, end);
}
