/** Keeps canvases from one submit to the next: making a large buffer costs more than drawing on it. */
import type { Gpu } from "../../gpu/device.ts";
import { Canvas } from "./canvas.ts";
import type { ViewGroup } from "./view_plan.ts";

export class CanvasShelf {
  #gpu: Gpu;
  #canvases: Canvas[] = [];

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
  }

  /**
   * A canvas for each group of a submit, with room for one view more than the group has. Groups whose pixels nobody
   * reads share one, since they are measured one after the other; submits may share too, since a device runs them in
   * order.
   */
  take(groups: readonly ViewGroup[]): Canvas[] {
    let used = 0;
    let shared: Canvas | null = null;
    const capacity = Math.max(...groups.map((group) => group.length)) + 1;
    return groups.map((group) => {
      const [{ camera: { width, height }, pixels }] = group;
      if (!pixels && shared?.fits(width, height, group.length + 1)) return shared;
      const canvas = this.#at(used++, width, height, capacity);
      if (!pixels) shared = canvas;
      return canvas;
    });
  }

  #at(place: number, width: number, height: number, capacity: number): Canvas {
    const known = this.#canvases.at(place);
    if (known?.fits(width, height, capacity)) return known;
    // Submits that still use it keep it alive.
    known?.destroy();
    const canvas = new Canvas(this.#gpu, width, height, capacity);
    this.#canvases[place] = canvas;
    return canvas;
  }
}
