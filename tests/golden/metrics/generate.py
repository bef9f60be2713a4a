"""Writes golden.json: metric values of scikit-image, pytorch-msssim and torchmetrics on pictures of an integer formula.

    python -m venv env && env/bin/pip install -r requirements.txt && env/bin/python generate.py

The pictures are not stored: tests/splat/score/formula_pictures.ts computes the same bytes.
Everything runs in float64 with data range 1 on 8-bit pictures divided by 255.
"""
import json
import pathlib
import platform

import numpy as np
import pytorch_msssim
import scipy
import skimage
import torch
import torchmetrics
from pictures import picture
from pytorch_msssim.ssim import _fspecial_gauss_1d
from skimage.metrics import peak_signal_noise_ratio, structural_similarity
from torchmetrics.functional.image import peak_signal_noise_ratio as pooled_psnr
from torchmetrics.functional.image import structural_similarity_index_measure


def taps64():
    taps = torch.exp(-((torch.arange(11, dtype=torch.float64) - 5) ** 2) / (2 * 1.5**2))
    return taps / taps.sum()


def window64():
    """pytorch-msssim's window in float64: its own is float32 whatever the pictures are, which moves SSIM by 2e-5."""
    return taps64().repeat([3, 1, 1, 1])


def zero_padded(a, b):
    """SSIM as 3DGS training code computes it: 11 taps, sigma 1.5, conv2d with 5 pixels of zeros around."""
    taps = taps64()
    window = (taps[:, None] * taps[None, :]).expand(3, 1, 11, 11).contiguous()
    blur = lambda t: torch.nn.functional.conv2d(t, window, padding=5, groups=3)
    ma, mb = blur(a), blur(b)
    va, vb, vab = blur(a * a) - ma * ma, blur(b * b) - mb * mb, blur(a * b) - ma * mb
    c1, c2 = 0.01**2, 0.03**2
    return (((2 * ma * mb + c1) * (2 * vab + c2)) / ((ma**2 + mb**2 + c1) * (va + vb + c2))).mean().item()


def gray(a, weights):
    return a @ np.asarray(weights)


def flavours(a, b):
    """Each row of the table of SSIM conventions, by the implementation that defines it."""
    wang = dict(data_range=1.0, gaussian_weights=True, sigma=1.5, use_sample_covariance=False)
    ta, tb = (torch.from_numpy(i).permute(2, 0, 1)[None] for i in (a, b))
    bt601, bt709 = [0.299, 0.587, 0.114], [0.2126, 0.7152, 0.0722]
    return {
        "skimage": structural_similarity(a, b, data_range=1.0, channel_axis=2),
        "skimage-wang": structural_similarity(a, b, channel_axis=2, **wang),
        "skimage-gaussian": structural_similarity(a, b, data_range=1.0, channel_axis=2, gaussian_weights=True),
        "pytorch-msssim": pytorch_msssim.ssim(ta, tb, data_range=1.0, win=window64()).item(),
        "torchmetrics": structural_similarity_index_measure(ta, tb, data_range=1.0).item(),
        "inria": zero_padded(ta, tb),
        "gray": structural_similarity(gray(a, bt601), gray(b, bt601), **wang),
        "gray709": structural_similarity(gray(a, bt709), gray(b, bt709), **wang),
    }


PAIRS = [("rough", "smooth"), ("noisy", "smooth"), ("near", "smooth"), ("white", "object"), ("object", "white"),
         ("smooth", "white"), ("noisy", "object")]
SIZES = [(61, 43), (32, 32), (11, 13)]

cases = []
for width, height in SIZES:
    for rendered, photo in PAIRS:
        a, b = (picture(kind, width, height, seed) / 255 for kind, seed in ((rendered, 1), (photo, 2)))
        cases.append({
            "width": width, "height": height, "rendered": rendered, "photo": photo,
            "psnr": float(peak_signal_noise_ratio(b, a, data_range=1.0)),
            "ssim": {name: float(value) for name, value in flavours(a, b).items()},
        })
batches = []
for width, height in SIZES:
    a, b = (torch.from_numpy(np.stack([picture(pair[k], width, height, k + 1) / 255 for pair in PAIRS]))
            for k in (0, 1))
    batches.append({"width": width, "height": height, "psnr": pooled_psnr(a, b, data_range=1.0).item()})

versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
            "scikit-image": skimage.__version__, "torch": torch.__version__.split("+")[0],
            "pytorch-msssim": "1.0.0", "torchmetrics": torchmetrics.__version__}
window = _fspecial_gauss_1d(11, 1.5).flatten().tolist()
golden = {"generator": "tests/golden/metrics/generate.py", "versions": versions, "window": window,
          "cases": cases, "pooled": batches}
pathlib.Path(__file__).with_name("golden.json").write_text(json.dumps(golden, indent=2) + "\n")
