/** Where trained networks can be had. They are ImageNet models of their makers and no part of this program. */
import type { LpipsNet } from "./networks.ts";

export interface WeightSource {
  readonly url: string;
  /** Whether the whole file is downloaded, or only the tensors that are needed, by Range requests. */
  readonly take: "whole" | "ranges";
  /**
   * sha256 of the whole file, or its first digits (torchvision writes eight of them into its file names); null where
   * it is not known, or cannot be checked since only a part is read. Then the tensors are trusted at first use.
   */
  readonly sha256: string | null;
}

/** Tried in order. All hold the same numbers: torchvision's first ImageNet weights, which LPIPS v0.1 was fitted to. */
export const WEIGHT_SOURCES: Readonly<Record<LpipsNet, readonly WeightSource[]>> = {
  alex: [
    // 9.9 of 233 MB.
    { url: "https://download.pytorch.org/models/alexnet-owt-7be5be79.pth", take: "ranges", sha256: null },
    collection("alexnet.safetensors"),
    {
      url: "https://huggingface.co/tux-type/jaxlpips/resolve/main/alexnet_features.safetensors",
      take: "whole",
      sha256: null,
    },
  ],
  vgg: [
    // 59 of 528 MB, where the server has the file in torch's zip format.
    { url: "https://download.pytorch.org/models/vgg16-397923af.pth", take: "ranges", sha256: null },
    collection("vgg.safetensors"),
    {
      url: "https://huggingface.co/tux-type/jaxlpips/resolve/main/vgg16_features.safetensors",
      take: "whole",
      sha256: null,
    },
  ],
  squeeze: [
    {
      url: "https://download.pytorch.org/models/squeezenet1_1-b8a52dc0.pth",
      take: "whole",
      sha256: "b8a52dc0",
    },
    collection("squeezenet.safetensors"),
  ],
};

function collection(file: string): WeightSource {
  const folder = "https://huggingface.co/achiru/DiffSynth-Studio-ImageMetrics/resolve/main/LPIPS";
  return { url: `${folder}/${file}`, take: "whole", sha256: null };
}
