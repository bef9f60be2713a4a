// Lists for each tile of the image the splats that may matter to its pixels: one bit a splat, in depth order, so the
// list of a tile needs no counters and reads front to back. Runs twice: on coarse tiles, then on the tiles that are
// rasterised, where only the splats of the coarse tile around are tested.
//
// Dispatch: (ceil(tiles * words / 64), views). One invocation a (view, word of 32 splats, tile).
// frame    [1]                            sizes
// views    [views]                        job table
// splats   [views, slots]                 front to back
// parents  [views, words, parent tiles]   masks of the coarse tiles; unused if parent_width is 0
// masks    [views, words, tiles]          out
// Deterministic: invocations write disjoint words.

override tile_width: u32;
override tile_height: u32;
override parent_width: u32;
override parent_height: u32;
override pixel_center: f32;

@group(0) @binding(0) var<storage, read> frame: array<Frame>;
@group(0) @binding(1) var<storage, read> views: array<View>;
@group(0) @binding(2) var<storage, read> splats: array<Splat>;
@group(0) @binding(3) var<storage, read> parents: array<u32>;
@group(0) @binding(4) var<storage, read_write> masks: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let size = vec2u(frame[0].width, frame[0].height);
  let tile_size = vec2u(tile_width, tile_height);
  let tiles = (size + tile_size - 1u) / tile_size;
  let tile_count = tiles.x * tiles.y;
  let words = frame[0].words;
  if (id.x >= tile_count * words) {
    return;
  }
  let word = id.x / tile_count;
  let tile = id.x % tile_count;
  let first = tile_size * vec2u(tile % tiles.x, tile / tiles.x);
  let last = min(first + tile_size, size) - 1u;

  let left = views[id.y].count - min(views[id.y].count, word * 32u);
  var candidates = select(0xffffffffu, (1u << (left & 31u)) - 1u, left < 32u);
  if (parent_width > 0u) {
    let parent_size = vec2u(parent_width, parent_height);
    let parent_tiles = (size + parent_size - 1u) / parent_size;
    let parent = first / parent_size;
    let row = (id.y * words + word) * parent_tiles.y + parent.y;
    candidates = parents[row * parent_tiles.x + parent.x];
  }
  let base = id.y * frame[0].slots + word * 32u;
  var mask = 0u;
  while (candidates != 0u) {
    let bit = countTrailingZeros(candidates);
    candidates &= candidates - 1u;
    if (touches(splats[base + bit], vec2f(first), vec2f(last), pixel_center)) {
      mask |= 1u << bit;
    }
  }
  masks[(id.y * words + word) * tile_count + tile] = mask;
}
