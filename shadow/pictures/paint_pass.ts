/** The pictures of the hands on the device: pose the skin → find what is nearest, in two runs → shade. */
import type { Gpu } from "../../gpu/device.ts";
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Command, Kernel, KernelSource } from "../../gpu/kernel.ts";
import type { Hands } from "../hand/hand_model.ts";
import { boneMatrices } from "../hand/skin.ts";
import { type Pose, SIDES } from "../pose.ts";
import { LEAST_W, type StageCamera } from "./camera.ts";
import {
  packSkin,
  packTriangles,
  PICTURE,
  pictureRow,
  POSED_VERTEX,
  REST_VERTEX,
  SAMPLES,
  SKIN,
  skinRow,
} from "./paint_structs.ts";
import coverCode from "./cover.wgsl" with { type: "text" };
import coverLib from "./cover_lib.wgsl" with { type: "text" };
import shadeCode from "./shade.wgsl" with { type: "text" };
import skinVerticesCode from "./skin_vertices.wgsl" with { type: "text" };

/** What one picture shows. */
export interface Shot {
  readonly pose: Pose;
  readonly camera: StageCamera;
}

/** The commands that draw some shots, and where the results lie. */
export interface Painting {
  readonly commands: readonly Command[];
  /** `PosedVertex` [shots, vertices] */
  readonly posed: GpuBuffer;
  /** Bits of the nearness at each sample, 0 where nothing is. u32 [samples of all shots] */
  readonly nearest: GpuBuffer;
  /** u32 [pixels of all shots]: bytes r, g, b (times the share) and share of the pixel that hands cover. */
  readonly pixels: GpuBuffer;
  destroy(): void;
}

/** Bytes of the largest buffer that a shot needs. */
export function shotBytes({ width, height }: StageCamera): number {
  return width * height * SAMPLES * SAMPLES * 4;
}

/** Kernels and skin of one pair of hands on one device. */
export class PaintPass {
  readonly #gpu: Gpu;
  readonly #hands: Hands;
  readonly #kernels: readonly [Kernel, Kernel, Kernel];
  readonly #skin: ReturnType<typeof uploadSkin>;

  private constructor(gpu: Gpu, hands: Hands, kernels: readonly [Kernel, Kernel, Kernel]) {
    this.#gpu = gpu;
    this.#hands = hands;
    this.#kernels = kernels;
    this.#skin = uploadSkin(gpu, hands);
  }

  /** Throws GpuError when the device refuses a kernel. */
  static async create(gpu: Gpu, hands: Hands): Promise<PaintPass> {
    const [skin, cover, shade] = await Promise.all(KERNELS.map((source) => gpu.kernel(source)));
    return new PaintPass(gpu, hands, [skin, cover, shade]);
  }

  /** Uploads some shots and lays out their commands. */
  paint(shots: readonly Shot[]): Painting {
    const gpu = this.#gpu;
    const { skin, rest, triangles, runs } = this.#skin;
    const { vertices, triangles: triangleCount } = skinRow(this.#hands);
    const counts = shots.map(({ camera: { width, height } }) => width * height);
    const firsts = counts.map((_, at) => counts.slice(0, at).reduce((sum, count) => sum + count, 0));
    const total = counts.reduce((sum, count) => sum + count, 0);
    const made = {
      pictures: gpu.upload(
        "pictures",
        PICTURE.pack(shots.map(({ camera }, at) => pictureRow(camera, firsts[at]))),
      ),
      bones: gpu.upload("bones", this.#bones(shots)),
      posed: gpu.buffer("posed skin", shots.length * vertices * POSED_VERTEX.byteLength),
      nearest: gpu.buffer("nearest", total * SAMPLES * SAMPLES * 4),
      winners: gpu.buffer("winners", total * SAMPLES * SAMPLES * 4),
      pixels: gpu.buffer("pixels", total * 4),
    };
    const { pictures, bones, posed, nearest, winners, pixels } = made;
    const groups = (invocations: number) => [Math.ceil(invocations / GROUP), shots.length] as const;
    const [skinVertices, cover, shade] = this.#kernels;
    return {
      posed,
      nearest,
      pixels,
      commands: [
        skinVertices.dispatch({ skin, pictures, rest, bones, posed }, groups(vertices)),
        ...runs.map((run) =>
          cover.dispatch(
            { skin, pictures, triangles, posed, run, nearest, winners },
            groups(triangleCount),
          )
        ),
        shade.dispatch(
          { skin, pictures, triangles, posed, nearest, winners, pixels },
          groups(Math.max(...counts)),
        ),
      ],
      destroy: () => {
        for (const buffer of Object.values(made)) buffer.destroy();
      },
    };
  }

  /** Frees the skin. */
  destroy(): void {
    const { skin, rest, triangles, runs } = this.#skin;
    for (const buffer of [skin, rest, triangles, ...runs]) buffer.destroy();
  }

  #bones(shots: readonly Shot[]): Float32Array {
    return Float32Array.from(
      shots.flatMap(({ pose }) => SIDES.flatMap((side) => [...boneMatrices(this.#hands[side], pose[side])])),
    );
  }
}

/** Invocations of a workgroup. */
const GROUP = 64;

const FOLDER = "shadow/pictures";
const COVER_LIB = { file: `${FOLDER}/cover_lib.wgsl`, code: coverLib };

const KERNELS: readonly KernelSource[] = [
  {
    name: `${FOLDER}/skin_vertices`,
    file: `${FOLDER}/skin_vertices.wgsl`,
    code: skinVerticesCode,
    structs: [SKIN, PICTURE, REST_VERTEX, POSED_VERTEX],
    constants: { least_w: LEAST_W },
  },
  {
    name: `${FOLDER}/cover`,
    file: `${FOLDER}/cover.wgsl`,
    code: coverCode,
    structs: [SKIN, PICTURE, POSED_VERTEX],
    libraries: [COVER_LIB],
    constants: { least_w: LEAST_W },
  },
  {
    name: `${FOLDER}/shade`,
    file: `${FOLDER}/shade.wgsl`,
    code: shadeCode,
    structs: [SKIN, PICTURE, POSED_VERTEX],
    libraries: [COVER_LIB],
    constants: { samples: SAMPLES },
  },
];

function uploadSkin(gpu: Gpu, hands: Hands) {
  return {
    skin: gpu.upload("skin", SKIN.pack([skinRow(hands)])),
    rest: gpu.upload("rest skin", packSkin(hands)),
    triangles: gpu.upload("triangles", packTriangles(hands)),
    runs: [0, 1].map((run) => gpu.upload(`run ${run}`, Uint32Array.of(run))),
  };
}
