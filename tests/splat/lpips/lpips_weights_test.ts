import assert from "node:assert/strict";
import { BenchError } from "../../../env/errors.ts";
import { lpipsLins, namedTensors, readLpipsWeights } from "../../../splat/score/lpips/lpips_weights.ts";
import { convolutions, type LpipsNet } from "../../../splat/score/lpips/networks.ts";
import { parameterNames } from "../../../splat/score/lpips/parameter_names.ts";
import type { TensorFile, TensorValues } from "../../../splat/score/lpips/tensor_file.ts";
import { drawnWeights } from "./drawn_weights.ts";

/** Sums of the weights in lpips/weights/v0.1, tap by tap, read by another program; squeeze's were not. */
const SUMS: [LpipsNet, number[]][] = [
  ["alex", [2.349532, 16.143027, 39.268439, 27.197178, 20.317177]],
  ["vgg", [6.925992, 8.858334, 17.515006, 51.521323, 47.034854]],
];

Deno.test("lpipsLins() has the sums that another reader found in the published files", () => {
  for (const [net, sums] of SUMS) {
    const own = lpipsLins(net).map((lin) => lin.reduce((sum, value) => sum + value, 0));
    for (const [tap, sum] of sums.entries()) {
      assert.ok(Math.abs(own[tap] - sum) < 2e-6, `${net} ${tap}: ${own[tap]}`);
    }
  }
  const alex = lpipsLins("alex");
  assert.equal(Math.max(...alex.flatMap((lin) => [...lin])).toFixed(5), "1.32357");
});

Deno.test("networks have the numbers of parameters of torchvision's feature layers", () => {
  // torchvision's documentation counts 61,100,840, 138,357,544 and 1,235,496 parameters, of which the classifiers
  // have (9216 + 1)·4096 + (4096 + 1)·4096 + (4096 + 1)·1000, (25088 + 1)·4096 + the same rest, and (512 + 1)·1000.
  const rest = 4097 * 4096 + 4097 * 1000;
  const wanted = {
    alex: 61_100_840 - 9217 * 4096 - rest,
    vgg: 138_357_544 - 25_089 * 4096 - rest,
    squeeze: 1_235_496 - 513 * 1000,
  };
  for (const net of ["alex", "vgg", "squeeze"] as const) {
    const own = convolutions(net).reduce(
      (sum, { inputs, outputs, size }) => sum + outputs * (inputs * size ** 2 + 1),
      0,
    );
    assert.equal(own, wanted[net], net);
  }
});

Deno.test("parameterNames() knows the names of torch, of the lpips package, and of Flax", () => {
  const of = (net: LpipsNet, names: string[]) =>
    [...parameterNames(net, names)].map(([name, { weight }]) => [name, weight]);
  assert.deepEqual(
    of("alex", ["classifier.6.weight", "features.0.weight", "features.0.bias", "features.8.weight"]),
    [
      ["0", "features.0.weight"],
      ["8", "features.8.weight"],
    ],
  );
  assert.deepEqual(
    of("alex", ["lin0.model.1.weight", "lin3.model.1.weight", "net.slice2.3.weight", "scaling_layer.shift"]),
    [
      ["3", "net.slice2.3.weight"],
    ],
  );
  assert.deepEqual(of("squeeze", ["3.expand1x1.weight", "12.squeeze.weight", "classifier.1.weight"]), [
    ["3.expand1x1", "3.expand1x1.weight"],
    ["12.squeeze", "12.squeeze.weight"],
  ]);
  const blocks = [2, 2, 3, 3, 3].flatMap((parts, block) =>
    Array.from({ length: parts }, (_, part) => `conv${block + 1}.conv.layers.${2 * part}.kernel`)
  );
  // Sorted as text, as some writers leave them, and with the biases between.
  const shuffled = blocks.flatMap((name) => [name, name.replace("kernel", "bias")]).sort().reverse();
  assert.deepEqual(of("vgg", shuffled), convolutions("vgg").map(({ name }, at) => [name, blocks[at]]));
});

Deno.test("readLpipsWeights() gets the same numbers from every layout", async () => {
  const drawn = drawnWeights("alex");
  const torch = namedTensors(drawn);
  const flax = new Map<string, TensorValues>();
  for (const [at, { name, inputs, outputs, size }] of convolutions("alex").entries()) {
    const { weight, bias } = drawn.convolutions.get(name) ?? assert.fail();
    const values = new Float32Array(weight.length);
    let to = 0;
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        for (let i = 0; i < inputs; i++) {
          for (let o = 0; o < outputs; o++) values[to++] = weight[((o * inputs + i) * size + y) * size + x];
        }
      }
    }
    flax.set(`conv${at + 1}.kernel`, { shape: [size, size, inputs, outputs], values });
    flax.set(`conv${at + 1}.bias`, { shape: [outputs], values: Float32Array.from(bias) });
  }
  const whole = new Map(
    [
      ["lin2.model.1.weight", { shape: [1, 384, 1, 1], values: Float32Array.from(lpipsLins("alex")[2]) }],
      ...torch,
      ["classifier.6.weight", { shape: [1000, 4096], values: new Float32Array(0) }],
    ] as const,
  );
  for (const tensors of [torch, flax, whole]) {
    assert.equal((await readLpipsWeights("alex", fileOf(tensors))).sha256, drawn.sha256);
  }
});

Deno.test("readLpipsWeights() refuses weights that are not the network's, and says which", async () => {
  const tensors = namedTensors(drawnWeights("squeeze"));
  const shape = [1, 128, 1, 1];
  const changed = (name: string, tensor: TensorValues | null) => {
    const copy = new Map(tensors);
    if (tensor === null) copy.delete(name);
    else copy.set(name, tensor);
    return readLpipsWeights("squeeze", fileOf(copy));
  };
  const weight = tensors.get("features.3.squeeze.weight") ?? assert.fail();
  const spoiled = (value: number) => Float32Array.from(weight.values, (old, at) => at === 77 ? value : old);
  const cases: [Promise<unknown>, RegExp][] = [
    [changed("features.3.squeeze.weight", null), /it lacks the layer features\.3\.squeeze/],
    [
      changed("features.3.squeeze.weight", { ...weight, shape: [64, 16, 1, 1] }),
      /features\.3\.squeeze has another shape/,
    ],
    [
      changed("features.3.squeeze.weight", { ...weight, values: spoiled(NaN) }),
      /features\.3\.squeeze has numbers that are not finite/,
    ],
    [
      changed("features.3.squeeze.weight", { ...weight, values: spoiled(0).fill(0) }),
      /features\.3\.squeeze is all zeros/,
    ],
    [
      changed("features.12.squeeze.bias", { shape: [8], values: new Float32Array(8) }),
      /features\.12\.squeeze has another shape/,
    ],
    // PerceptualSimilarity issue 72: random weights of the taps, some negative, gave negative distances.
    [
      changed("lin1.model.1.weight", { shape, values: new Float32Array(128).fill(-0.01) }),
      /lin1\.model\.1\.weight is not that of LPIPS v0\.1/,
    ],
    [
      readLpipsWeights("vgg", fileOf(tensors)),
      /Cannot use these weights for LPIPS with vgg: it lacks the layer features\.2/,
    ],
  ];
  for (const [reading, message] of cases) {
    await assert.rejects(reading, (error) => error instanceof BenchError && message.test(error.message));
  }
});

function fileOf(tensors: ReadonlyMap<string, TensorValues>): TensorFile {
  return {
    shapes: new Map([...tensors].map(([name, { shape }]) => [name, shape])),
    read: (names) =>
      Promise.resolve(new Map(names.map((name) => [name, tensors.get(name) ?? assert.fail(`no ${name}`)]))),
  };
}
