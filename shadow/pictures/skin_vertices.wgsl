// Poses the skin of both hands (linear-blend skinning, the twin of hand/skin.ts) and projects it.
//   x' = sum_i w_i (R_i x + t_i),  n' = sum_i w_i R_i n
//   place = (column . x', row . x') / (w . x'), rounded to eighths of a sample
//
// Dispatch: (ceil(vertices / 64), pictures). One invocation a (picture, vertex).
// skin      [1]                    sizes
// pictures  [pictures]             job table
// rest      [vertices]             skin at rest
// bones     [pictures, bones, 3]   rows of 3x4 matrices, rest to world
// posed     [pictures, vertices]   out
// Deterministic: invocations write disjoint slots and read nothing that is written.

override least_w: f32;

@group(0) @binding(0) var<storage, read> skin: array<Skin>;
@group(0) @binding(1) var<storage, read> pictures: array<Picture>;
@group(0) @binding(2) var<storage, read> rest: array<RestVertex>;
@group(0) @binding(3) var<storage, read> bones: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> posed: array<PosedVertex>;

// Places stay far inside what the products of cover.wgsl hold.
const MOST_PLACE = 16384.0;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= skin[0].vertices) {
    return;
  }
  let vertex = rest[id.x];
  let point = vec4f(vertex.position, 1.0);
  let direction = vec4f(vertex.normal, 0.0);
  var position = vec3f(0.0);
  var normal = vec3f(0.0);
  for (var k = 0u; k < 4u; k++) {
    let first = 3u * (id.y * skin[0].bones + vertex.bones[k]);
    let x = bones[first];
    let y = bones[first + 1u];
    let z = bones[first + 2u];
    let weight = vertex.weights[k];
    position += weight * vec3f(dot(x, point), dot(y, point), dot(z, point));
    normal += weight * vec3f(dot(x, direction), dot(y, direction), dot(z, direction));
  }

  let picture = pictures[id.y];
  let place = vec4f(position, 1.0);
  let w = dot(picture.w, place);
  let sample = vec2f(dot(picture.column, place), dot(picture.row, place)) / w;
  let seen = w > least_w && all(abs(sample) * 8.0 <= vec2f(MOST_PLACE));
  var out: PosedVertex;
  out.position = position;
  out.normal = normal;
  if (seen) {
    out.w = w;
    out.nearness = dot(picture.nearness, place) / w;
    out.place = vec2i(round(sample * 8.0));
  }
  posed[id.y * skin[0].vertices + id.x] = out;
}
