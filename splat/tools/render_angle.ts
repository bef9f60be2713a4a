import { z } from "zod";
import { cameraOrbit, orbitCamera } from "../camera.ts";
import { anglePicture } from "../pictures/angle.ts";
import { viewImage } from "../render/renderer_types.ts";
import { pixelsOf } from "../rendered_view.ts";
import type { View } from "../task.ts";
import { decimal } from "../../env/numbers.ts";
import { defineTool } from "./tool.ts";
import { orbitWords } from "./view_words.ts";

export const renderAngle = defineTool({
  name: "render_angle",
  description:
    "Render the scene from any angle on an orbit around the origin, with the field of view of the reference cameras and " +
    "no photo to compare. Uses one render.",
  args: z.strictObject({
    azimuth: z.number().min(-360).max(360).describe("Degrees from +X towards +Y, where the camera stands."),
    elevation: z.number().min(-90).max(90).describe(
      "Degrees above the horizontal plane; 90 looks straight down.",
    ),
    distance: z.number().min(0.5).max(20).optional().describe(
      "Camera's distance from the origin. Default: as the reference cameras.",
    ),
  }),
  aliases: { azimuth_deg: "azimuth", elevation_deg: "elevation" },
  cost: { renders: 1 },
  async run({ azimuth, elevation, distance }, { task, scene, painter }) {
    const usual = usualOrbit(task.reference);
    const orbit = {
      azimuthDeg: azimuth,
      elevationDeg: elevation,
      distance: distance ?? usual.distance,
      fovDeg: usual.fovDeg,
    };
    const { width, height } = task.reference[0].camera;
    const view = await painter.fromCamera(scene, orbitCamera(orbit, width, height));
    const caption = `azimuth ${decimal(azimuth, 1)}° · elevation ${decimal(elevation, 1)}° · ` +
      `distance ${decimal(orbit.distance, 2)}`;
    return {
      text: `Rendered from ${orbitWords(orbit)}.`,
      image: anglePicture(caption, viewImage(pixelsOf(view), width, height)),
    };
  },
});

/** Distance and field of view that the reference cameras have on average. */
function usualOrbit(reference: readonly View[]): { distance: number; fovDeg: number } {
  const orbits = reference.map(({ camera }) => cameraOrbit(camera));
  const mean = (key: "distance" | "fovDeg") =>
    orbits.reduce((sum, orbit) => sum + orbit[key], 0) / orbits.length;
  return { distance: mean("distance"), fovDeg: mean("fovDeg") };
}
