// How much of a target's outline lies within each radius of a shadow's. A disc's row at height y is a box that reaches
// x with x^2 + y^2 <= r^2, so each row of the shadow's outline is spread pixel by pixel, for all radii at once.
//
// Dispatch: (ceil(HEIGHT / 64), poses). One invocation a row of a pose.
// jobs     [poses]            the target of a pose, and where its sums begin
// targets  [targets, 5, rows] the second plane is the outline
// outlines [poses, rows]      of the shadows
// sums     [...]              in and out, from `job.sums` + 6: pixels by radius
// Deterministic: integers, so the order of the additions does not matter.

override HEIGHT: u32;
override RADIUS_0: i32;
override RADIUS_1: i32;
override RADIUS_2: i32;
// The largest of them.
override REACH: i32;

@group(0) @binding(0) var<storage, read> jobs: array<ScoreJob>;
@group(0) @binding(1) var<storage, read> targets: array<MaskRow>;
@group(0) @binding(2) var<storage, read> outlines: array<MaskRow>;
@group(0) @binding(3) var<storage, read_write> sums: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= HEIGHT) {
    return;
  }
  let job = jobs[id.y];
  let wanted = targets[(job.planes + 1u) * HEIGHT + id.x];
  if (is_empty(wanted)) {
    return;
  }
  let row = i32(id.x);
  var near_0 = MaskRow();
  var near_1 = MaskRow();
  var near_2 = MaskRow();
  for (var other = max(row - REACH, 0); other <= min(row + REACH, i32(HEIGHT) - 1); other++) {
    var spread = outlines[id.y * HEIGHT + u32(other)];
    if (is_empty(spread)) {
      continue;
    }
    let height = (other - row) * (other - row);
    for (var x = 0; x * x + height <= REACH * REACH; x++) {
      if (x > 0) {
        let sides = union_of(left_neighbours(spread, 0u), right_neighbours(spread, 0u));
        spread = union_of(spread, sides);
      }
      let distance = x * x + height;
      if (distance <= RADIUS_0 * RADIUS_0) {
        near_0 = union_of(near_0, spread);
      }
      if (distance <= RADIUS_1 * RADIUS_1) {
        near_1 = union_of(near_1, spread);
      }
      if (distance <= RADIUS_2 * RADIUS_2) {
        near_2 = union_of(near_2, spread);
      }
    }
  }
  atomicAdd(&sums[job.sums + 6u], count(intersection(wanted, near_0)));
  atomicAdd(&sums[job.sums + 7u], count(intersection(wanted, near_1)));
  atomicAdd(&sums[job.sums + 8u], count(intersection(wanted, near_2)));
}
