// A shadow's outline, and how shadow and outline meet the target's.
//
// Dispatch: (ceil(HEIGHT / 64), poses). One invocation a row of a pose.
// jobs     [poses]            the target of a pose, and where its sums begin
// targets  [targets, 5, rows] mask, outline, pixels within each of the three radii of the outline
// masks    [poses, rows]      shadows
// outlines [poses, rows]      out: pixels of the shadow with a light neighbour
// sums     [...]              in and out, from `job.sums`: area, shared, outline length, of it near the target's by radius
// Deterministic: integers, so the order of the additions does not matter.

override HEIGHT: u32;
// 4 or 8.
override NEIGHBOURS: u32;
// Beyond the screen: all ones (as the pixel itself) or all zeros (light).
override BEYOND: u32;

@group(0) @binding(0) var<storage, read> jobs: array<ScoreJob>;
@group(0) @binding(1) var<storage, read> targets: array<MaskRow>;
@group(0) @binding(2) var<storage, read> masks: array<MaskRow>;
@group(0) @binding(3) var<storage, read_write> outlines: array<MaskRow>;
@group(0) @binding(4) var<storage, read_write> sums: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let y = id.x;
  if (y >= HEIGHT) {
    return;
  }
  let at = id.y * HEIGHT + y;
  let row = masks[at];
  if (is_empty(row)) {
    outlines[at] = row;
    return;
  }
  var around = in_row(row);
  around = intersection(around, neighbour_row(y > 0u, at - 1u));
  around = intersection(around, neighbour_row(y < HEIGHT - 1u, at + 1u));
  let outline = without(row, around);
  outlines[at] = outline;

  let job = jobs[id.y];
  let plane = job.planes * HEIGHT + y;
  atomicAdd(&sums[job.sums], count(row));
  atomicAdd(&sums[job.sums + 1u], count(intersection(row, targets[plane])));
  if (is_empty(outline)) {
    return;
  }
  atomicAdd(&sums[job.sums + 2u], count(outline));
  for (var i = 0u; i < 3u; i++) {
    atomicAdd(&sums[job.sums + 3u + i], count(intersection(outline, targets[plane + (2u + i) * HEIGHT])));
  }
}

// What the row above or below leaves dark of a pixel's neighbours.
fn neighbour_row(on_screen: bool, neighbour: u32) -> MaskRow {
  if (!on_screen) {
    let beyond = vec4u(BEYOND);
    return MaskRow(beyond, beyond, beyond, beyond);
  }
  let row = masks[neighbour];
  if (NEIGHBOURS == 4u) {
    return row;
  }
  return in_row(row);
}

// Pixels that are dark and whose neighbours in the row are, too.
fn in_row(row: MaskRow) -> MaskRow {
  return intersection(row, intersection(left_neighbours(row, BEYOND), right_neighbours(row, BEYOND)));
}
