// Light pixels of a shadow in each hole of its target.
//
// Dispatch: (ceil(most hole words of a target / 64), poses). One invocation a word of a hole.
// jobs  [poses]            which hole words are the target's, and where the pose's sums begin
// holes [hole words]       a word of the mask, the hole's bits in it, the hole's number in its target
// masks [poses, rows * 16] shadows
// sums  [...]              in and out, from `job.sums` + FIRST_HOLE: light pixels by hole
// Deterministic: integers, so the order of the additions does not matter.

override MASK_WORDS: u32;
override FIRST_HOLE: u32;

@group(0) @binding(0) var<storage, read> jobs: array<ScoreJob>;
@group(0) @binding(1) var<storage, read> holes: array<HoleWord>;
@group(0) @binding(2) var<storage, read> masks: array<u32>;
@group(0) @binding(3) var<storage, read_write> sums: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let job = jobs[id.y];
  if (id.x >= job.holeWords) {
    return;
  }
  let hole = holes[job.firstHoleWord + id.x];
  let open = countOneBits(hole.bits & ~masks[id.y * MASK_WORDS + hole.word]);
  atomicAdd(&sums[job.sums + FIRST_HOLE + hole.hole], open);
}
