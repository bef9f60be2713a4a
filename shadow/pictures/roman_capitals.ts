/**
 * Roman capitals for the titles of plates, drawn for this project: skeletons that a broad-nibbed pen follows. A capital
 * is 1 high and stands on y = 0, y up. Commands: M x y (lift the pen to), L x y (line), C six numbers (cubic Bézier),
 * S x y (a serif there), H x y (half a serif, to the left).
 */

export interface Glyph {
  /** To the next letter. */
  readonly advance: number;
  readonly path: string;
}

/** Of a letter, digit or sign; null for what cannot be drawn. */
export function capital(character: string): Glyph | null {
  return GLYPHS[character] ?? null;
}

const STEM = "M.1 0 L.1 1 H.1 0 H.1 1";
const BOWL = "M.1 1 L.3 1 C.62 1 .62 .48 .3 .48 L.1 .48";
const ROUND =
  "M.4 1.02 C.2 1.02 .06 .8 .06 .5 C.06 .2 .2 -.02 .4 -.02 C.6 -.02 .74 .2 .74 .5 C.74 .8 .6 1.02 .4 1.02";
const CUP =
  "M.66 .8 C.56 .96 .5 1.02 .4 1.02 C.2 1.02 .06 .8 .06 .5 C.06 .2 .2 -.02 .42 -.02 C.54 -.02 .62 .06 .68 .2";

const GLYPHS: Readonly<Record<string, Glyph>> = {
  " ": { advance: 0.38, path: "" },
  A: { advance: 0.82, path: "M.08 0 L.4 1.02 L.72 0 M.2 .36 L.6 .36 S.08 0 S.72 0" },
  B: {
    advance: 0.68,
    path: `${STEM} M.1 1 L.28 1 C.54 1 .54 .54 .28 .54 L.1 .54 M.28 .54 C.66 .54 .66 0 .28 0 L.1 0`,
  },
  C: { advance: 0.76, path: `${CUP} M.66 .96 L.66 .74` },
  D: { advance: 0.8, path: `${STEM} M.1 1 L.3 1 C.8 1 .8 0 .3 0 L.1 0` },
  E: {
    advance: 0.64,
    path: `${STEM} M.1 1 L.5 1 L.5 .82 M.1 .52 L.42 .52 M.42 .62 L.42 .42 M.1 0 L.54 0 L.56 .2`,
  },
  F: { advance: 0.6, path: "M.1 0 L.1 1 S.1 0 H.1 1 M.1 1 L.5 1 L.5 .82 M.1 .52 L.4 .52 M.4 .62 L.4 .42" },
  G: { advance: 0.82, path: `${CUP} M.66 .96 L.66 .74 M.68 .42 L.68 .06 S.68 .42` },
  H: { advance: 0.84, path: "M.12 0 L.12 1 M.7 0 L.7 1 M.12 .52 L.7 .52 S.12 0 S.12 1 S.7 0 S.7 1" },
  I: { advance: 0.38, path: "M.18 0 L.18 1 S.18 0 S.18 1" },
  J: { advance: 0.42, path: "M.24 1 L.24 .12 C.24 -.12 .12 -.2 .0 -.14 S.24 1" },
  K: { advance: 0.76, path: "M.12 0 L.12 1 M.6 1 L.12 .44 M.26 .6 L.68 0 S.12 0 S.12 1 S.6 1 S.68 0" },
  L: { advance: 0.62, path: "M.1 0 L.1 1 S.1 1 H.1 0 M.1 0 L.54 0 L.56 .22" },
  M: { advance: 1.0, path: "M.12 0 L.16 1 L.5 .06 L.84 1 L.88 0 S.12 0 S.88 0 H.16 1" },
  N: { advance: 0.86, path: "M.12 0 L.12 1 L.72 0 L.72 1 S.12 0 H.12 1 S.72 1" },
  O: { advance: 0.82, path: ROUND },
  P: { advance: 0.66, path: `M.1 0 L.1 1 S.1 0 H.1 1 ${BOWL}` },
  Q: { advance: 0.84, path: `${ROUND} M.44 .02 C.54 -.14 .66 -.2 .8 -.2` },
  R: { advance: 0.74, path: `M.1 0 L.1 1 S.1 0 H.1 1 ${BOWL} M.3 .48 L.64 0 S.66 0` },
  S: {
    advance: 0.62,
    path:
      "M.5 .8 C.44 .98 .38 1.02 .3 1.02 C.16 1.02 .08 .92 .08 .78 C.08 .5 .54 .54 .54 .24 C.54 .08 .44 -.02 .3 -.02 C.2 -.02 .12 .04 .08 .2 M.5 .96 L.5 .74 M.07 .04 L.07 .26",
  },
  T: { advance: 0.72, path: "M.36 0 L.36 1 M.06 .8 L.08 1 L.64 1 L.66 .8 S.36 0" },
  U: { advance: 0.82, path: "M.12 1 L.12 .3 C.12 -.12 .68 -.12 .68 .3 L.68 1 S.12 1 S.68 1" },
  V: { advance: 0.78, path: "M.06 1 L.39 -.02 L.72 1 S.06 1 S.72 1" },
  W: { advance: 1.1, path: "M.06 1 L.32 -.02 L.55 .92 L.8 -.02 L1.04 1 S.06 1 S1.04 1" },
  X: { advance: 0.76, path: "M.08 1 L.68 0 M.66 1 L.08 0 S.08 1 S.68 0 S.66 1 S.08 0" },
  Y: { advance: 0.74, path: "M.06 1 L.37 .46 L.37 0 M.68 1 L.37 .46 S.06 1 S.68 1 S.37 0" },
  Z: { advance: 0.7, path: "M.08 .8 L.1 1 L.6 1 L.08 0 L.62 0 L.64 .2" },
  0: { advance: 0.68, path: "M.34 1 C.02 1 .02 0 .34 0 C.66 0 .66 1 .34 1" },
  1: { advance: 0.44, path: "M.08 .82 L.24 1 L.24 0 S.24 0" },
  2: { advance: 0.62, path: "M.08 .76 C.12 1.06 .54 1.06 .52 .72 C.5 .46 .2 .3 .06 0 L.54 0 L.56 .16" },
  3: {
    advance: 0.6,
    path:
      "M.08 .86 C.2 1.06 .5 1 .48 .76 C.46 .58 .34 .54 .22 .54 C.4 .54 .54 .44 .52 .26 C.5 -.04 .16 -.06 .06 .16",
  },
  4: { advance: 0.64, path: "M.44 0 L.44 1 L.06 .32 L.58 .32 S.44 0" },
  5: { advance: 0.6, path: "M.5 1 L.16 1 L.12 .56 C.3 .68 .54 .56 .52 .3 C.5 -.04 .16 -.06 .06 .14" },
  6: {
    advance: 0.64,
    path: "M.52 .9 C.3 1.1 .08 .84 .08 .42 C.08 -.12 .56 -.12 .56 .3 C.56 .66 .14 .66 .08 .34",
  },
  7: { advance: 0.6, path: "M.08 .82 L.08 1 L.54 1 C.4 .7 .26 .4 .22 0" },
  8: {
    advance: 0.64,
    path:
      "M.32 .54 C.06 .6 .08 1.02 .32 1.02 C.56 1.02 .58 .6 .32 .54 C-.02 .48 .04 -.02 .32 -.02 C.6 -.02 .66 .48 .32 .54",
  },
  9: {
    advance: 0.64,
    path: "M.12 .1 C.34 -.1 .56 .16 .56 .58 C.56 1.12 .08 1.12 .08 .7 C.08 .34 .5 .34 .56 .66",
  },
  "-": { advance: 0.44, path: "M.08 .42 L.34 .42" },
  "'": { advance: 0.26, path: "M.14 1 L.1 .76" },
  ".": { advance: 0.28, path: "M.12 .04 L.12 -.02" },
  ",": { advance: 0.28, path: "M.13 .06 L.08 -.16" },
};
