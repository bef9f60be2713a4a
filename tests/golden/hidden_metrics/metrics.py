"""PSNR and SSIM of the pictures that write_pictures.ts wrote, by the Python packages, to standard output as JSON.

PSNR: scikit-image, per view, then the mean. SSIM: 11-tap Gaussian of sigma 1.5, zero padding, population covariance,
as 3D Gaussian splatting code computes it, with torch.nn.functional.conv2d in float64; and pytorch-msssim (no padding)
as a second opinion on the window.
"""
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytorch_msssim
import skimage
import torch
import torch.nn.functional as F
from skimage.metrics import peak_signal_noise_ratio


def zero_padded_ssim(a, b):
    taps = torch.tensor([math.exp(-((i - 5) ** 2) / (2 * 1.5**2)) for i in range(11)], dtype=torch.float64)
    taps = taps / taps.sum()
    window = torch.outer(taps, taps).expand(3, 1, 11, 11).contiguous()
    blur = lambda x: F.conv2d(x, window, padding=5, groups=3)
    mean_a, mean_b = blur(a), blur(b)
    var_a, var_b = blur(a * a) - mean_a**2, blur(b * b) - mean_b**2
    cov = blur(a * b) - mean_a * mean_b
    c1, c2 = 0.01**2, 0.03**2
    return (((2 * mean_a * mean_b + c1) * (2 * cov + c2)) / ((mean_a**2 + mean_b**2 + c1) * (var_a + var_b + c2))).mean().item()


folder = Path(sys.argv[1])
cases = []
for info in sorted(folder.glob("*.json")):
    meta = json.loads(info.read_text())
    photos, renders = (
        np.fromfile(info.with_suffix(suffix), dtype="<f8").reshape(meta["shape"]) for suffix in (".photos", ".renders")
    )
    tensor = lambda image: torch.from_numpy(image).permute(2, 0, 1)[None]
    views = list(zip(photos, renders))
    cases.append({
        "task": meta["task"],
        "psnr": float(np.mean([peak_signal_noise_ratio(p, r, data_range=1) for p, r in views])),
        "ssim": float(np.mean([zero_padded_ssim(tensor(r), tensor(p)) for p, r in views])),
        "ssim_unpadded": float(np.mean([
            pytorch_msssim.ssim(tensor(r), tensor(p), data_range=1).item() for p, r in views
        ])),
    })
versions = {
    "numpy": np.__version__,
    "scikit-image": skimage.__version__,
    "torch": torch.__version__,
    "pytorch-msssim": "1.0.0",
}
print(json.dumps({"note": "written by metrics.py from write_pictures.ts", "versions": versions, "cases": cases}, indent=2))
