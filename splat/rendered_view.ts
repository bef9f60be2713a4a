/** What a rendered view must hold for its reader. */
import type { RenderedView, ViewMetrics } from "./render/renderer_types.ts";

/** The measurements of a view that was rendered against a photo. */
export function metricsOf({ metrics }: RenderedView): ViewMetrics {
  if (metrics === null) throw new RangeError("view was rendered without a photo");
  return metrics;
}

/** The pixels of a view that was rendered with pixels. */
export function pixelsOf({ rgbt }: RenderedView): Float32Array {
  if (rgbt === null) throw new RangeError("view was rendered without pixels");
  return rgbt;
}
