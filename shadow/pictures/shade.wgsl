// Shades each pixel: the mean of its samples' colours, and the share of them that hands cover.
//   color = tone (ambient + diffuse max(0, n . light)) + gloss (n . halfway)^power, dark along contours
// A sample is on a contour if a neighbour shows nothing, the other hand, or skin that lies clearly further away
// than the slope of the skin before it explains.
//
// Dispatch: (ceil(pixels / 64), pictures). One invocation a (picture, pixel); pixels: of the largest picture.
// skin       [1]                   sizes, tones in [0, 255]
// pictures   [pictures]            job table
// triangles  [triangles, 3]        vertex indices
// posed      [pictures, vertices]  projected skin
// nearest    [samples]             bits of the nearness
// winners    [samples]             ~index of the triangle seen; 0: none
// pixels     [pixels]              out, bytes from the lowest: r, g, b times the covered share; covered samples, plus 128
//                                  where the left hand covers the last of them
// Deterministic: invocations write disjoint pixels and read nothing that is written.

override samples: u32;

@group(0) @binding(0) var<storage, read> skin: array<Skin>;
@group(0) @binding(1) var<storage, read> pictures: array<Picture>;
@group(0) @binding(2) var<storage, read> triangles: array<u32>;
@group(0) @binding(3) var<storage, read> posed: array<PosedVertex>;
@group(0) @binding(4) var<storage, read> nearest: array<u32>;
@group(0) @binding(5) var<storage, read> winners: array<u32>;
@group(0) @binding(6) var<storage, read_write> pixels: array<u32>;

const AMBIENT = vec3f(0.50, 0.47, 0.48);
const DIFFUSE = vec3f(0.56, 0.58, 0.56);
const GLOSS = 26.0;
const GLOSS_POWER = 24.0;
// Of the tone, what a contour keeps.
const CONTOUR = 0.22;

// What every function reads of a picture: structs passed by value are copied, field by field.
var<private> picture: u32;
var<private> size: vec2i;
var<private> first_sample: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  picture = id.y;
  size = vec2i(i32(pictures[picture].width), i32(pictures[picture].height));
  first_sample = pictures[picture].first_sample;
  let width = u32(size.x) / samples;
  let corner = vec2i(samples * vec2u(id.x % width, id.x / width));
  if (corner.y >= size.y) {
    return;
  }
  var sum = vec3f(0.0);
  var covered = 0u;
  for (var j = 0u; j < samples; j++) {
    for (var i = 0u; i < samples; i++) {
      let sample = corner + vec2i(vec2u(i, j));
      let winner = winners[sample_index(sample)];
      if (winner == 0u) {
        continue;
      }
      sum += sample_color(sample, ~winner);
      covered = (covered & 127u) + 1u + select(0u, 128u, is_left(~winner));
    }
  }
  let mean = vec3u(round(sum / f32(samples * samples)));
  pixels[pictures[picture].first_pixel + id.x] = mean.x | mean.y << 8u | mean.z << 16u | covered << 24u;
}

fn sample_color(sample: vec2i, triangle: u32) -> vec3f {
  let tone = select(skin[0].right_tone, skin[0].left_tone, is_left(triangle));
  if (on_contour(sample, triangle)) {
    return CONTOUR * tone;
  }
  let first = picture * skin[0].vertices;
  let a = first + triangles[3u * triangle];
  let b = first + triangles[3u * triangle + 1u];
  let c = first + triangles[3u * triangle + 2u];
  // Attributes divided by w are linear on the picture; corners b and c change places in a facet.
  let f = facet(posed[a].place, posed[b].place, posed[c].place);
  let weights = vec3f(facet_weights(f, sample_centre(sample))) / vec3f(posed[a].w, posed[c].w, posed[b].w);
  let normal = normalize(weights.x * posed[a].normal + weights.y * posed[c].normal + weights.z * posed[b].normal);
  let light = AMBIENT + DIFFUSE * max(0.0, dot(normal, pictures[picture].light));
  let gloss = GLOSS * pow(max(0.0, dot(normal, pictures[picture].halfway)), GLOSS_POWER);
  return min(tone * light + gloss, vec3f(255.0));
}

fn on_contour(sample: vec2i, triangle: u32) -> bool {
  // Skin goes on beyond the picture's border.
  let before = max(sample - 1, vec2i(0));
  let after = min(sample + 1, size - 1);
  let at = vec4u(
    sample_index(vec2i(before.x, sample.y)),
    sample_index(vec2i(after.x, sample.y)),
    sample_index(vec2i(sample.x, before.y)),
    sample_index(vec2i(sample.x, after.y)),
  );
  let here = bitcast<f32>(nearest[sample_index(sample)]);
  let there = bitcast<vec4f>(vec4u(nearest[at.x], nearest[at.y], nearest[at.z], nearest[at.w]));
  let other = ~vec4u(winners[at.x], winners[at.y], winners[at.z], winners[at.w]) >= vec4u(skin[0].first_left);
  let other_hand = other != vec4<bool>(is_left(triangle));
  // A steep slope goes on as it began; a contour does not.
  let slope = max(vec4f(0.0), there.yxwz - here);
  let drop = pictures[picture].contour.x + pictures[picture].contour.y * here * here;
  return any(there == vec4f(0.0)) || any(here - there > select(drop + slope, vec4f(0.0), other_hand));
}

fn is_left(triangle: u32) -> bool {
  return triangle >= skin[0].first_left;
}

fn sample_index(sample: vec2i) -> u32 {
  return first_sample + u32(sample.y * size.x + sample.x);
}
