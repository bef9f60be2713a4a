"""Writes golden.json: distances of the lpips package, with its own weights of the taps, on pictures of an integer
formula. The backbones are not trained: their parameters are numpy draws, which drawn_weights.ts draws again.

    python -m venv env && env/bin/pip install -r requirements.txt && env/bin/python generate.py

Also writes splat/score/lpips/lin_weights.json, the package's weights of the taps (base64 of float32, little endian).
Distances are computed in float64 from float32 parameters; `float32` is what the package gives in its usual precision.
"""
import base64
import json
import pathlib
import platform
import sys

import lpips
import numpy as np
import torch
import torchvision

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "metrics"))
from pictures import picture

NETS = {"alex": 11, "vgg": 12, "squeeze": 13}
SIZES = {"alex": [(83, 61), (47, 130), (64, 64)], "vgg": [(37, 50), (48, 32)], "squeeze": [(75, 50), (66, 97), (52, 37)]}
PAIRS = [("rough", "smooth"), ("object", "white"), ("near", "smooth"), ("noisy", "object")]


def drawn(model, seed):
    """Fills the backbone, parameter by parameter in the order of its state dict, and returns a few values.

    Weights are uniform with He's variance, 2 / inputs, so that features neither grow nor fade; biases lie in ±0.1.
    """
    draws = np.random.default_rng(seed)
    probes = []
    for name, parameter in model.net.named_parameters():
        shape = tuple(parameter.shape)
        bound = np.sqrt(6 / np.prod(shape[1:])) if name.endswith("weight") else 0.1
        values = ((2 * draws.random(int(np.prod(shape))) - 1) * bound).astype(np.float32)
        parameter.data = torch.from_numpy(values.reshape(shape))
        probes.append({"name": ".".join(name.split(".")[1:]), "last": float(values[-1])})
    return probes


def tensor(kind, width, height, seed, dtype):
    pixels = (picture(kind, width, height, seed) / 255).astype(np.float32)
    return torch.from_numpy(pixels).permute(2, 0, 1)[None].to(dtype)


def lin_weights(model):
    return [lin.model[-1].weight.detach().numpy().astype("<f4").ravel() for lin in model.lins]


lins, nets, cases = {}, {}, []
for net, seed in NETS.items():
    model = lpips.LPIPS(net=net, version="0.1", pnet_rand=True, verbose=False)
    lins[net] = [base64.b64encode(weights.tobytes()).decode() for weights in lin_weights(model)]
    nets[net] = {"seed": seed, "parameters": drawn(model, seed)}
    for width, height in SIZES[net]:
        for rendered, photo in PAIRS:
            values = {}
            for name, dtype in (("float64", torch.float64), ("float32", torch.float32)):
                a, b = (tensor(kind, width, height, seed, dtype) for kind, seed in ((rendered, 1), (photo, 2)))
                with torch.no_grad():
                    values[name] = model.to(dtype)(a, b, normalize=True).item()
            cases.append({"net": net, "width": width, "height": height, "rendered": rendered, "photo": photo, **values})

versions = {"python": platform.python_version(), "numpy": np.__version__, "lpips": "0.1.4",
            "torch": torch.__version__.split("+")[0], "torchvision": torchvision.__version__.split("+")[0]}
golden = {"generator": "tests/golden/lpips/generate.py", "versions": versions, "nets": nets, "cases": cases}
(HERE / "golden.json").write_text(json.dumps(golden, indent=2) + "\n")
lin = {"source": "lpips 0.1.4, lpips/weights/v0.1, BSD-2-Clause, see NOTICES.md", **lins}
(HERE.parents[2] / "splat/score/lpips/lin_weights.json").write_text(json.dumps(lin, indent=2) + "\n")
