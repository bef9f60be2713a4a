"""Pictures of an integer formula: byte for byte those of tests/splat/score/formula_pictures.ts."""
import numpy as np


def triangle(n):
    """Triangle wave of period 510 between 0 and 255."""
    t = n % 510
    return np.where(t <= 255, t, 510 - t)


def mix(x, y, c, seed):
    """32-bit hash of a pixel's place."""
    h = (x * 73856093 ^ y * 19349663 ^ c * 83492791 ^ seed * 40503) & 0xFFFFFFFF
    h = (h ^ h >> 13) * 1274126177 & 0xFFFFFFFF
    return h ^ h >> 16


def picture(kind, width, height, seed):
    """[height, width, 3] bytes."""
    y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(3), indexing="ij")
    x, y, c = (a.astype(np.int64) for a in (x, y, c))
    smooth = triangle(x * 4 + y * 3 + c * 60)
    if kind == "smooth":
        return smooth.astype(np.uint8)
    if kind == "noisy":
        return (mix(x, y, c, seed) & 255).astype(np.uint8)
    if kind == "rough":
        return np.clip(smooth + mix(x, y, c, seed) % 61 - 30, 0, 255).astype(np.uint8)
    if kind == "near":
        return np.clip(smooth + mix(x, y, c, seed) % 3 - 1, 0, 255).astype(np.uint8)
    if kind == "white":
        return np.full((height, width, 3), 255, np.uint8)
    if kind == "object":
        inside = (x * 3 >= width) & (x * 5 < width * 3) & (y * 4 >= height) & (y * 3 < height * 2)
        return np.where(inside, triangle(x * 9 + y * 5 + c * 90 + seed), 255).astype(np.uint8)
    raise ValueError(kind)
