"""Writes golden.json: IoU, outline F, hole shares and convex hulls of closed-form masks, by NumPy, SciPy and scikit-image.

    python generate.py    # numpy 2.4.6, scipy 1.17.1, scikit-image 0.26.0

Masks are [384, 512]; shapes are unions of integer discs, rings and rectangles, built the same way in
`closed_form_masks.ts`.
"""
import json
from pathlib import Path

import numpy as np
from scipy import ndimage
from skimage.morphology import convex_hull_image

HEIGHT, WIDTH = 384, 512
Y, X = np.mgrid[0:HEIGHT, 0:WIDTH]


def draw(parts):
    mask = np.zeros((HEIGHT, WIDTH), bool)
    for kind, *v in parts:
        if kind == "disc":
            mask |= (X - v[0]) ** 2 + (Y - v[1]) ** 2 <= v[2] ** 2
        elif kind == "ring":
            d = (X - v[0]) ** 2 + (Y - v[1]) ** 2
            mask |= (v[2] ** 2 < d) & (d <= v[3] ** 2)
        elif kind == "rectangle":
            mask |= (v[0] <= X) & (X < v[2]) & (v[1] <= Y) & (Y < v[3])
    return mask


def outline(mask, neighbours, border):
    inside = ndimage.binary_erosion(
        mask, ndimage.generate_binary_structure(2, 1 if neighbours == 4 else 2), border_value=border == "same"
    )
    return mask & ~inside


def outline_f(target, shadow, radii, neighbours, border):
    a, b = outline(target, neighbours, border), outline(shadow, neighbours, border)
    to_target, to_shadow = ndimage.distance_transform_edt(~a), ndimage.distance_transform_edt(~b)
    values = []
    for r in radii:
        precision, recall = np.mean(to_target[b] <= r), np.mean(to_shadow[a] <= r)
        values.append(0 if precision + recall == 0 else 2 * precision * recall / (precision + recall))
    return float(np.mean(values))


def hole_shares(target, shadow, least):
    labels, count = ndimage.label(~target)
    border = set(labels[0]) | set(labels[-1]) | set(labels[:, 0]) | set(labels[:, -1])
    holes = [labels == i for i in range(1, count + 1) if i not in border and np.sum(labels == i) >= least]
    return [[int(np.sum(hole)), int(np.sum(hole & ~shadow))] for hole in holes]


PLAIN = {"radii": [1, 2, 4], "neighbours": 4, "border": "same"}
OUTLINES = [
    PLAIN,
    {**PLAIN, "neighbours": 8},
    {**PLAIN, "border": "light"},
    {"radii": [3, 1, 7], "neighbours": 8, "border": "light"},
]

FACE = [["ring", 200, 150, 30, 90], ["ring", 330, 260, 4, 40], ["ring", 420, 90, 2, 20]]
CROPPED = [["rectangle", 0, 100, 300, 180], ["disc", 300, 140, 60], ["rectangle", 250, 300, 262, 384]]
CASES = [
    [[["disc", 200, 150, 80]], [["disc", 200, 150, 80]]],
    [[["disc", 200, 150, 80]], [["disc", 201, 151, 80]]],
    [[["disc", 200, 150, 80]], [["disc", 203, 153, 80]]],
    [[["disc", 200, 150, 80]], [["disc", 206, 156, 80]]],
    [[["disc", 200, 150, 80]], [["disc", 200, 150, 83]]],
    [[["disc", 100, 100, 30]], [["disc", 300, 250, 40]]],
    [[["rectangle", 64, 32, 320, 224]], [["rectangle", 65, 34, 322, 220]]],
    [[["rectangle", 31, 0, 33, 384]], [["rectangle", 32, 0, 34, 384]]],
    [FACE, [["disc", 200, 150, 90], ["disc", 330, 260, 40], ["disc", 420, 90, 20]]],
    [FACE, [["ring", 205, 150, 20, 90], ["ring", 331, 261, 3, 40], ["disc", 420, 90, 20]]],
    [FACE, [["rectangle", 100, 60, 230, 240]]],
    [CROPPED, CROPPED],
    [CROPPED, [["rectangle", 0, 102, 300, 181], ["disc", 304, 140, 62], ["rectangle", 251, 296, 263, 384]]],
    [CROPPED, [["rectangle", 2, 100, 300, 180]]],
    [[["disc", 0, 0, 150]], [["disc", 3, -2, 150], ["disc", 511, 383, 3]]],
]

cases = []
for target_parts, shadow_parts in CASES:
    target, shadow = draw(target_parts), draw(shadow_parts)
    hull = convex_hull_image(target, offset_coordinates=False)
    cases.append(
        {
            "target": target_parts,
            "shadow": shadow_parts,
            "iou": float(np.sum(target & shadow) / np.sum(target | shadow)),
            "outlineF": [outline_f(target, shadow, **rule) for rule in OUTLINES],
            "holes": hole_shares(target, shadow, 16),
            # Sums of 1, x, y and xy pin the hull without storing it.
            "hull": [int(np.sum(hull)), int(np.sum(X[hull])), int(np.sum(Y[hull])), int(np.sum((X * Y)[hull]))],
        }
    )
out = {"outlines": OUTLINES, "cases": cases}
Path(__file__).with_name("golden.json").write_text(json.dumps(out, indent=2) + "\n")
