// Gradient of the loss by each pixel, with d = render - photo and p1, p2, p3 of loss_maps.wgsl:
//   g = l1 sign(d) + 2 l2 d - dssim (B p1 + 2 x B p2 + y B p3)
// where the three weights are already divided by the number of values. Beside it g . (pixel - background), where the
// walk of rasterize_backward.wgsl begins.
//
// Tiles that no splat touches have no use for a gradient and get none.
//
// Dispatch: ceil(tiles / 64). One invocation a tile of 8x4 pixels of one view.
// grid       sizes, view and photo, weights
// frame      [1] sizes of the drawing
// masks      [views, words, tiles]  one bit a splat
// rendered   [views, height, width]
// photos     [photos, height, width] packed 8-bit
// computed   [bands, bands across]  where there are maps; elsewhere they are 0
// maps       [height, columns, 9] already blurred down the columns
// upstream   [height, width]      out
// Deterministic: each invocation owns its pixels.

override background_red: f32;
override background_green: f32;
override background_blue: f32;

@group(0) @binding(0) var<storage, read> grid: LossGrid;
@group(0) @binding(1) var<storage, read> rendered: array<vec4f>;
@group(0) @binding(2) var<storage, read> photos: array<u32>;
@group(0) @binding(3) var<storage, read> computed: array<u32>;
@group(0) @binding(4) var<storage, read> maps: array<vec4f>;
@group(0) @binding(5) var<storage, read> frame: array<Frame>;
@group(0) @binding(6) var<storage, read> masks: array<u32>;
@group(0) @binding(7) var<storage, read_write> upstream: array<vec4f>;

// Three quantities of three channels of 4 neighbouring pixels.
struct Nine {
  a: mat3x4f,
  b: mat3x4f,
  c: mat3x4f,
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let tiles = (vec2u(grid.width, grid.height) + vec2u(7u, 3u)) / vec2u(8u, 4u);
  let tile_count = tiles.x * tiles.y;
  if (id.x >= tile_count) {
    return;
  }
  var touched = 0u;
  for (var word = 0u; word < frame[0].words; word++) {
    touched |= masks[(grid.view * frame[0].words + word) * tile_count + id.x];
  }
  if (touched == 0u) {
    return;
  }
  let column = 2u * (id.x % tiles.x);
  let top = 4u * (id.x / tiles.x);
  let band = top / BAND_HEIGHT;
  let s0 = source(band, i32(column) - 2);
  let s1 = source(band, i32(column) - 1);
  let s2 = source(band, i32(column));
  let s3 = source(band, i32(column) + 1);
  let s4 = source(band, i32(column) + 2);
  let s5 = source(band, i32(column) + 3);
  let any_map = s0.there || s1.there || s2.there || s3.there || s4.there || s5.there;
  for (var y = top; y < min(top + 4u, grid.height); y++) {
    var left = Nine();
    var right = Nine();
    if (any_map) {
      let q0 = blur_map(s0, s1, s2, s3, s4, s5, y, 0u);
      let q1 = blur_map(s0, s1, s2, s3, s4, s5, y, 1u);
      let q2 = blur_map(s0, s1, s2, s3, s4, s5, y, 2u);
      let q3 = blur_map(s0, s1, s2, s3, s4, s5, y, 3u);
      let q4 = blur_map(s0, s1, s2, s3, s4, s5, y, 4u);
      let q5 = blur_map(s0, s1, s2, s3, s4, s5, y, 5u);
      let q6 = blur_map(s0, s1, s2, s3, s4, s5, y, 6u);
      let q7 = blur_map(s0, s1, s2, s3, s4, s5, y, 7u);
      let q8 = blur_map(s0, s1, s2, s3, s4, s5, y, 8u);
      left = Nine(
        mat3x4f(q0.left, q1.left, q2.left),
        mat3x4f(q3.left, q4.left, q5.left),
        mat3x4f(q6.left, q7.left, q8.left),
      );
      right = Nine(
        mat3x4f(q0.right, q1.right, q2.right),
        mat3x4f(q3.right, q4.right, q5.right),
        mat3x4f(q6.right, q7.right, q8.right),
      );
    }
    store(BLOCK_WIDTH * column, y, left);
    store(BLOCK_WIDTH * (column + 1u), y, right);
  }
}

// A column of the maps, and whether it holds anything.
struct Source {
  column: u32,
  there: bool,
}

fn source(band: u32, column: i32) -> Source {
  let inside = u32(clamp(column, 0, i32(grid.columns) - 1));
  let there = i32(inside) == column && computed[band * bands_across(grid.columns) + inside / 2u] == 1u && grid.dssim > 0.0;
  return Source(inside, there);
}

// Two strips side by side.
struct Eight {
  left: vec4f,
  right: vec4f,
}

fn blur_map(s0: Source, s1: Source, s2: Source, s3: Source, s4: Source, s5: Source, y: u32, quantity: u32) -> Eight {
  let before = strip(s1, y, quantity);
  let left = strip(s2, y, quantity);
  let right = strip(s3, y, quantity);
  let behind = strip(s4, y, quantity);
  return Eight(
    blur(last_of(s0, y, quantity), before, left, right, behind.x),
    blur(before.w, left, right, behind, first_of(s5, y, quantity)),
  );
}

fn strip(source: Source, y: u32, quantity: u32) -> vec4f {
  return select(vec4f(), maps[(y * grid.columns + source.column) * 9u + quantity], source.there);
}

// One value is loaded, not four.
fn first_of(source: Source, y: u32, quantity: u32) -> f32 {
  return select(0.0, maps[(y * grid.columns + source.column) * 9u + quantity].x, source.there);
}

fn last_of(source: Source, y: u32, quantity: u32) -> f32 {
  return select(0.0, maps[(y * grid.columns + source.column) * 9u + quantity].w, source.there);
}

fn store(x: u32, y: u32, p: Nine) {
  let p1 = transpose(p.a);
  let p2 = transpose(p.b);
  let p3 = transpose(p.c);
  store_pixel(x, y, p1[0], p2[0], p3[0]);
  store_pixel(x + 1u, y, p1[1], p2[1], p3[1]);
  store_pixel(x + 2u, y, p1[2], p2[2], p3[2]);
  store_pixel(x + 3u, y, p1[3], p2[3], p3[3]);
}

fn store_pixel(x: u32, y: u32, p1: vec3f, p2: vec3f, p3: vec3f) {
  if (x >= grid.width) {
    return;
  }
  let pixels = grid.width * grid.height;
  let at = y * grid.width + x;
  let render = rendered[grid.view * pixels + at].rgb;
  let photo = photo_color(photos[grid.photo * pixels + at]);
  let d = render - photo;
  let similarity = p1 + 2.0 * (render - 1.0) * p2 + (photo - 1.0) * p3;
  let g = grid.l1 * sign(d) + 2.0 * grid.l2 * d - grid.dssim * similarity;
  let background = vec3f(background_red, background_green, background_blue);
  upstream[at] = vec4f(g, dot(g, render - background));
}
