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

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let picture = pictures[id.y];
  let width = picture.width / samples;
  let pixel = vec2u(id.x % width, id.x / width);
  if (pixel.y >= picture.height / samples) {
    return;
  }
  var sum = vec3f(0.0);
  var covered = 0u;
  for (var j = 0u; j < samples; j++) {
    for (var i = 0u; i < samples; i++) {
      let sample = vec2i(samples * pixel + vec2u(i, j));
      let winner = winners[sample_index(picture, sample)];
      if (winner == 0u) {
        continue;
      }
      sum += sample_color(id.y, picture, sample, ~winner);
      covered = (covered & 127u) + 1u + select(0u, 128u, is_left(~winner));
    }
  }
  let mean = vec3u(round(sum / f32(samples * samples)));
  pixels[picture.first_pixel + id.x] = mean.x | mean.y << 8u | mean.z << 16u | covered << 24u;
}

fn sample_color(at_picture: u32, picture: Picture, sample: vec2i, triangle: u32) -> vec3f {
  let tone = select(skin[0].right_tone, skin[0].left_tone, is_left(triangle));
  if (on_contour(picture, sample, triangle)) {
    return CONTOUR * tone;
  }
  let first = at_picture * skin[0].vertices;
  let a = posed[first + triangles[3u * triangle]];
  let b = posed[first + triangles[3u * triangle + 1u]];
  let c = posed[first + triangles[3u * triangle + 2u]];
  // Attributes divided by w are linear on the picture; corners b and c change places in a facet.
  let weights = vec3f(facet_weights(facet(a.place, b.place, c.place), sample_centre(sample)));
  let normal = normalize(weights.x / a.w * a.normal + weights.y / c.w * c.normal + weights.z / b.w * b.normal);
  let light = AMBIENT + DIFFUSE * max(0.0, dot(normal, picture.light));
  let gloss = GLOSS * pow(max(0.0, dot(normal, picture.halfway)), GLOSS_POWER);
  return min(tone * light + gloss, vec3f(255.0));
}

fn on_contour(picture: Picture, sample: vec2i, triangle: u32) -> bool {
  return steps_down(picture, sample, vec2i(1, 0), triangle) || steps_down(picture, sample, vec2i(-1, 0), triangle) ||
    steps_down(picture, sample, vec2i(0, 1), triangle) || steps_down(picture, sample, vec2i(0, -1), triangle);
}

fn steps_down(picture: Picture, sample: vec2i, step: vec2i, triangle: u32) -> bool {
  let other = sample + step;
  // Skin goes on beyond the picture's border.
  if (any(other < vec2i(0)) || other.x >= i32(picture.width) || other.y >= i32(picture.height)) {
    return false;
  }
  let winner = winners[sample_index(picture, other)];
  if (winner == 0u) {
    return true;
  }
  let here = nearness_at(picture, sample);
  let there = nearness_at(picture, other);
  let drop = picture.contour.x + picture.contour.y * here * here;
  if (is_left(~winner) != is_left(triangle)) {
    return here > there;
  }
  // A steep slope goes on as it began; a contour does not.
  let slope = max(0.0, nearness_at(picture, sample - step) - here);
  return here - there > drop + slope;
}

// 0 outside the picture, which no skin is.
fn nearness_at(picture: Picture, sample: vec2i) -> f32 {
  if (any(sample < vec2i(0)) || sample.x >= i32(picture.width) || sample.y >= i32(picture.height)) {
    return 0.0;
  }
  return bitcast<f32>(nearest[sample_index(picture, sample)]);
}

fn is_left(triangle: u32) -> bool {
  return triangle >= skin[0].first_left;
}

fn sample_index(picture: Picture, sample: vec2i) -> u32 {
  return picture.first_sample + u32(sample.y) * picture.width + u32(sample.x);
}
