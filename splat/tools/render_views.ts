import { z } from "zod";
import type { View } from "../task.ts";
import { type Comparison, comparisonPicture } from "../pictures/comparison.ts";
import { DIFFERENCE_NOTE } from "../pictures/difference.ts";
import { type RenderedView, viewImage } from "../render/renderer_types.ts";
import { metricsOf, pixelsOf } from "../rendered_view.ts";
import { decimal } from "../../env/numbers.ts";
import { defineTool } from "./tool.ts";
import { refuseViews, viewList } from "./view_words.ts";

export const renderViews = defineTool({
  name: "render_views",
  description:
    "Render the scene from reference cameras. For each view the picture shows photo, render and difference side by side " +
    "(red: the object is missing; blue: something extra; gray to black: wrong colour), with PSNR (dB), SSIM (at most 1) " +
    "and silhouette IoU (at most 1; shown for orientation, not graded); higher is better. Uses one render, however many " +
    "views you ask for, so ask for several at once.",
  args: z.strictObject({ views: viewList.describe("Numbers of reference views, each once, at most 8.") }),
  cost: { renders: 1 },
  async run({ views }, { task, scene, painter }) {
    const refusal = refuseViews(views, task.reference.length, task.limits.viewsPerPicture);
    if (refusal) return refusal;
    const rendered = await painter.referenceViews(scene, views);
    const numbers = rendered.map(measurements);
    const entries = views.map((view, i) => compare(view, task.reference[view], rendered[i], numbers[i]));
    const lines = views.map((view, i) => `view ${view}: ${numbers[i].join(", ")}`);
    return { text: [...lines, DIFFERENCE_NOTE].join("\n"), image: comparisonPicture(entries) };
  },
});

function measurements(view: RenderedView): string[] {
  const { psnr, ssim, iou } = metricsOf(view);
  return [`PSNR ${psnr.toFixed(2)} dB`, `SSIM ${ssim.toFixed(3)}`, `IoU ${decimal(iou)}`];
}

function compare(
  view: number,
  { photo }: View,
  rendered: RenderedView,
  numbers: readonly string[],
): Comparison {
  return {
    caption: [`view ${view}`, ...numbers].join(" · "),
    photo,
    render: viewImage(pixelsOf(rendered), photo.width, photo.height),
  };
}
