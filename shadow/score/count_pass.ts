/** Counts of many shadows against their targets on a device, as commands for a submit. */
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Gpu } from "../../gpu/device.ts";
import type { Command, Kernel } from "../../gpu/kernel.ts";
import { struct } from "../../gpu/struct_layout.ts";
import { MASK_BYTES } from "../stage/silhouette_pass.ts";
import { MASK_WORDS } from "../stage/mask.ts";
import { MASK_HEIGHT } from "../stage/stage.ts";
import maskRowLib from "./mask_row_lib.wgsl" with { type: "text" };
import openHolesCode from "./open_holes.wgsl" with { type: "text" };
import type { ScoreProfile } from "./score_profile.ts";
import type { ShadowCounts } from "./shadow_counts.ts";
import shadowOutlineCode from "./shadow_outline.wgsl" with { type: "text" };
import type { Target } from "./target.ts";
import targetOutlineCode from "./target_outline.wgsl" with { type: "text" };

/** Work to append to a submit, and what to do with the bytes of `sums`. */
export interface Counting {
  readonly commands: readonly Command[];
  readonly sums: GpuBuffer;
  decode(bytes: ArrayBuffer): ShadowCounts[];
  /** Frees what the work needed; after the submit has resolved. */
  destroy(): void;
}

export class CountPass {
  #gpu: Gpu;
  #kernels: Kernels;

  private constructor(gpu: Gpu, kernels: Kernels) {
    this.#gpu = gpu;
    this.#kernels = kernels;
  }

  /** Compiles the kernels of a profile. */
  static async create(gpu: Gpu, profile: ScoreProfile): Promise<CountPass> {
    return new CountPass(gpu, await compile(gpu, profile));
  }

  /**
   * Plans the counts of at least one shadow.
   *
   * @param masks bits as in `Mask` [poses, 384, 16]
   * @param targets the target of each pose, prepared under this pass's profile [poses]
   */
  count(masks: GpuBuffer, targets: readonly Target[]): Counting {
    const distinct = [...new Set(targets)];
    const numbers = new Map(distinct.map((target, number) => [target, number]));
    const holeWords = distinct.map(holeWordsOf);
    const places: { planes: number; firstHoleWord: number; holeWords: number }[] = [];
    let [firstHoleWord, sumsEnd] = [0, 0];
    for (const words of holeWords) {
      places.push({ planes: places.length * PLANES, firstHoleWord, holeWords: words.length });
      firstHoleWord += words.length;
    }
    const jobs = targets.map((target) => {
      const job = { ...places[numbers.get(target) ?? 0], sums: sumsEnd };
      sumsEnd += SUMS + target.holes.length;
      return job;
    });
    const buffers = {
      jobs: this.#gpu.upload("score jobs", ScoreJob.pack(jobs)),
      targets: this.#gpu.upload("targets", targetPlanes(distinct)),
      outlines: this.#gpu.buffer("outlines", targets.length * MASK_BYTES),
      // A buffer holds at least one.
      holes: this.#gpu.upload(
        "hole words",
        HoleWord.pack([...holeWords.flat(), { word: 0, bits: 0, hole: 0 }]),
      ),
      sums: this.#gpu.buffer("sums", 4 * sumsEnd),
    };
    const { jobs: jobTable, targets: planes, outlines, holes, sums } = buffers;
    const rowGroups = Math.ceil(MASK_HEIGHT / 64);
    const holeGroups = Math.ceil(Math.max(...holeWords.map(({ length }) => length)) / 64);
    const { shadowOutline, targetOutline, openHoles } = this.#kernels;
    return {
      commands: [
        shadowOutline.dispatch({ jobs: jobTable, targets: planes, masks, outlines, sums }, [
          rowGroups,
          targets.length,
        ]),
        targetOutline.dispatch({ jobs: jobTable, targets: planes, outlines, sums }, [
          rowGroups,
          targets.length,
        ]),
        openHoles.dispatch({ jobs: jobTable, holes, masks, sums }, [holeGroups, targets.length]),
      ],
      sums,
      decode: (bytes) => {
        const all = new Uint32Array(bytes);
        return targets.map(({ holes }, i) => countsAt(all, jobs[i].sums, holes.length));
      },
      destroy: () => Object.values(buffers).forEach((buffer) => buffer.destroy()),
    };
  }
}

/** Planes of a target on the device: mask, outline, pixels near it by radius. */
const PLANES = 5;

/** Sums of a pose before those of its holes, in the order of `countsAt`. */
const SUMS = 9;

/** 512 pixels. */
const MaskRow = struct("MaskRow", { a: "vec4u", b: "vec4u", c: "vec4u", d: "vec4u" });

/** Where a pose's target lies in planes and hole words, and where the pose's sums begin. */
const ScoreJob = struct("ScoreJob", { planes: "u32", firstHoleWord: "u32", holeWords: "u32", sums: "u32" });

/** Bits of one hole in one word of a mask. */
const HoleWord = struct("HoleWord", { word: "u32", bits: "u32", hole: "u32" });

/** In the order they run. */
interface Kernels {
  readonly shadowOutline: Kernel;
  readonly targetOutline: Kernel;
  readonly openHoles: Kernel;
}

async function compile(gpu: Gpu, { outline: { radii, neighbours, border } }: ScoreProfile): Promise<Kernels> {
  const kernel = (name: string, code: string, constants: Record<string, number>) =>
    gpu.kernel({
      name: `shadow/score/${name}`,
      file: `shadow/score/${name}.wgsl`,
      code,
      constants,
      libraries: [{ file: "shadow/score/mask_row_lib.wgsl", code: maskRowLib }],
      structs: [MaskRow, ScoreJob, HoleWord],
    });
  const [shadowOutline, targetOutline, openHoles] = await Promise.all([
    kernel("shadow_outline", shadowOutlineCode, {
      HEIGHT: MASK_HEIGHT,
      NEIGHBOURS: neighbours,
      BEYOND: border === "same" ? 2 ** 32 - 1 : 0,
    }),
    kernel("target_outline", targetOutlineCode, {
      HEIGHT: MASK_HEIGHT,
      RADIUS_0: radii[0],
      RADIUS_1: radii[1],
      RADIUS_2: radii[2],
      REACH: Math.max(...radii),
    }),
    kernel("open_holes", openHolesCode, { MASK_WORDS, FIRST_HOLE: SUMS }),
  ]);
  return { shadowOutline, targetOutline, openHoles };
}

function holeWordsOf({ holes }: Target): { word: number; bits: number; hole: number }[] {
  return holes.flatMap(({ words, bits }, hole) =>
    words.map((word, i) => ({ word, bits: bits[i] >>> 0, hole }))
  );
}

function targetPlanes(targets: readonly Target[]): Uint32Array {
  const words = new Uint32Array(targets.length * PLANES * MASK_WORDS);
  const planes = targets.flatMap(({ mask, outline, near }) => [mask, outline, ...near]);
  for (const [i, plane] of planes.entries()) words.set(plane, i * MASK_WORDS);
  return words;
}

function countsAt(sums: Uint32Array, at: number, holes: number): ShadowCounts {
  return {
    area: sums[at],
    shared: sums[at + 1],
    outlineLength: sums[at + 2],
    shadowNear: [...sums.subarray(at + 3, at + 6)],
    targetNear: [...sums.subarray(at + 6, at + SUMS)],
    open: [...sums.subarray(at + SUMS, at + SUMS + holes)],
  };
}
