"""Writes formats.safetensors, formats.pth (torch.save) and formats.json, their values: small tensors in files as the
libraries write them, to check the readers against. Needs torch and safetensors 0.6 or later.
"""
import json
import pathlib

import numpy as np
import torch
from safetensors.torch import save_file

HERE = pathlib.Path(__file__).resolve().parent
draws = np.random.default_rng(5)
weight = torch.from_numpy(draws.standard_normal((2, 3, 2, 2)).astype(np.float32))
whole = torch.from_numpy(draws.standard_normal((5, 4)).astype(np.float32))
half = torch.tensor([0, -0.0, 1, -2.5, 65504, 6e-8, 6.1e-5, 0.1, float("inf")], dtype=torch.float16)
state = torch.nn.Module().state_dict()  # an OrderedDict with metadata, as models have it
state["features.0.weight"] = weight
state["features.0.bias"] = torch.tensor([1.5, -0.25])
state["half"] = half
state["count"] = torch.tensor(7, dtype=torch.int64)
state["empty"] = torch.zeros(0, 3)
save_file(dict(state), HERE / "formats.safetensors", metadata={"made by": "formats.py"})
state["part"], state["turned"] = whole[1:3], whole.t()
torch.save(state, HERE / "formats.pth")
values = {name: state[name].flatten().tolist() for name in ("features.0.weight", "features.0.bias", "empty")}
values["half"] = [str(value) for value in half.tolist()]
values["part"] = whole[1:3].flatten().tolist()
(HERE / "formats.json").write_text(json.dumps(values, indent=2) + "\n")
