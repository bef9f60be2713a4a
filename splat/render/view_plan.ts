/** Splits render jobs into submits that fit the device. Pure: knows sizes, not buffers. */
import { BenchError } from "../../env/errors.ts";
import type { Camera } from "../camera.ts";
import type { Scene } from "../scene.ts";
import { viewBytes } from "./render_pass.ts";
import type { PhotoSet, RenderJob } from "./renderer_types.ts";

/** One camera of one job. */
export interface PlannedView {
  /** Which job, and which of its cameras and photos. */
  readonly job: number;
  readonly index: number;
  readonly scene: Scene;
  readonly camera: Camera;
  readonly photos: PhotoSet | null;
  readonly pixels: boolean;
}

/** Views of one picture size, all read back or none, that are drawn by the same dispatches. */
export type ViewGroup = readonly PlannedView[];

/** What a device allows, and what it works best on, bytes. */
export interface Capacity {
  /** Largest buffer a kernel may see. */
  readonly binding: number;
  /** Pictures that are drawn together. */
  readonly group: number;
  /** All pictures of one submit together. */
  readonly submit: number;
}

/**
 * WebGPU's least limit, whatever the device has beyond it, so that every device draws in the same groups; and as much
 * at a time as the caches of a CPU hold while it measures what it drew.
 */
export const CAPACITY: Capacity = { binding: 128 * 2 ** 20, group: 16 * 2 ** 20, submit: 256 * 2 ** 20 };

/**
 * Groups of views for each submit: by picture size and whether pixels are read, in the order of the jobs.
 *
 * Throws BenchError on a job whose cameras and photos differ in number or size, and on a picture too large to draw.
 */
export function planSubmits(jobs: readonly RenderJob[], capacity: Capacity = CAPACITY): ViewGroup[][] {
  const byKind = new Map<string, PlannedView[]>();
  for (const [job, { scene, cameras, photos, pixels }] of jobs.entries()) {
    checkPhotos(job, cameras, photos);
    for (const [index, camera] of cameras.entries()) {
      checkSize(job, camera);
      const key = `${camera.width}x${camera.height} ${pixels}`;
      const group = byKind.get(key) ?? [];
      byKind.set(key, group);
      group.push({ job, index, scene, camera, photos, pixels });
    }
  }
  const submits: ViewGroup[][] = [];
  let room = 0;
  for (const views of byKind.values()) {
    for (const { group, bytes } of splitGroup(views, capacity)) {
      if (bytes > room || submits.length === 0) {
        submits.push([]);
        room = capacity.submit;
      }
      submits[submits.length - 1].push(group);
      room -= bytes;
    }
  }
  return submits;
}

function splitGroup(
  views: readonly PlannedView[],
  capacity: Capacity,
): { group: PlannedView[]; bytes: number }[] {
  const { width, height } = views[0].camera;
  const slots = Math.max(...views.map(({ scene }) => scene.length));
  const each = viewBytes(width, height, slots);
  // One more than the group has: the view of nothing that new photos are measured against.
  const room = Math.min(MOST_VIEWS, Math.floor(Math.min(capacity.binding, capacity.submit) / each)) - 1;
  if (room < 1) {
    throw new BenchError({
      what: `Cannot draw a view of ${width}x${height} pixels`,
      why:
        `it takes ${each} bytes, twice that with its background; the device gives ${capacity.binding} to one buffer`,
      fix: "Use smaller pictures",
    });
  }
  const most = Math.max(1, Math.min(room, Math.floor(capacity.group / each)));
  const groups: { group: PlannedView[]; bytes: number }[] = [];
  for (let at = 0; at < views.length; at += most) {
    const group = views.slice(at, at + most);
    groups.push({ group, bytes: each * group.length });
  }
  return groups;
}

function checkPhotos(job: number, cameras: readonly Camera[], photos: PhotoSet | null): void {
  if (photos === null) return;
  const fail = (why: string) =>
    new BenchError({
      what: `Cannot measure job ${job} of the batch`,
      why,
      fix: "Give one photo for each camera, of the camera's size",
    });
  if (photos.count !== cameras.length) {
    throw fail(`it has ${photos.count} photos and ${cameras.length} cameras`);
  }
  const odd = cameras.find(({ width, height }) => width !== photos.width || height !== photos.height);
  if (odd) {
    throw fail(
      `its photos have ${photos.width}x${photos.height} pixels, a camera ${odd.width}x${odd.height}`,
    );
  }
}

function checkSize(job: number, { width, height }: Camera): void {
  if (Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0) return;
  throw new BenchError({
    what: `Cannot draw job ${job} of the batch`,
    why: `a camera has ${width}x${height} pixels, wanted whole positive numbers`,
  });
}

/** WebGPU's least limit of workgroups along one axis; views are one axis of every dispatch. */
const MOST_VIEWS = 65535;
