/** The fastest convolution that was found for a software device, as a yardstick: every sum unrolled, halves packed. */
import type { Gpu } from "../../gpu/device.ts";
import type { Command } from "../../gpu/kernel.ts";

export interface ConvolutionSize {
  inputs: number;
  outputs: number;
  /** Side of the window. */
  size: number;
  /** Sides of the output, pixels. */
  width: number;
  height: number;
}

/** One stride-1 convolution and ReLU of `views` pictures of zeros: 8 channels × 4 × 4 pixels an invocation. */
export async function unrolledConvolution(
  gpu: Gpu,
  views: number,
  size: ConvolutionSize,
): Promise<{ command: Command; destroy(): void }> {
  const { inputs, outputs, width, height } = size;
  const rows = 4 * Math.ceil(height / 4) + size.size - 1;
  const stride = 4 * Math.ceil(width / 4) + 8;
  const name = `unrolled ${Object.values(size).join(" ")}`;
  const kernel = await gpu.kernel({ name, file: name, code: kernelText(views, size, rows, stride) });
  const buffers = {
    input: gpu.buffer("halves", views * inputs * rows * stride * 2),
    weights: gpu.buffer("weights", outputs * inputs * size.size ** 2 * 2),
    bias: gpu.buffer("bias", outputs * 4),
    output: gpu.buffer("output", views * outputs * width * height * 4),
  };
  const tiles = views * Math.ceil(width / 4) * Math.ceil(height / 4);
  return {
    command: kernel.dispatch(buffers, [Math.ceil(tiles / 64), outputs / 8]),
    destroy: () => Object.values(buffers).forEach((buffer) => buffer.destroy()),
  };
}

function kernelText(views: number, size: ConvolutionSize, rows: number, stride: number): string {
  const { inputs, outputs, size: window, width, height } = size;
  const [columns, tileRows] = [Math.ceil(width / 4), Math.ceil(height / 4)];
  const four = [0, 1, 2, 3];
  const component = (at: number) => "xyzw"[at % 4];
  const pixels = four.flatMap((y) => four.map((x) => ({ y, x, name: `s${y}${x}` })));
  const places = range(window).flatMap((i) => range(window).map((j) => ({ i, j })));
  return `
@group(0) @binding(0) var<storage, read> input: array<vec2u>;
@group(0) @binding(1) var<storage, read> weights: array<vec4u>;
@group(0) @binding(2) var<storage, read> bias: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> output: array<f32>;
fn halves(pair: vec2u) -> vec4f { return vec4f(unpack2x16float(pair.x), unpack2x16float(pair.y)); }
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let view = id.x / ${columns * tileRows}u;
  if (view >= ${views}u) { return; }
  let row = 4u * (id.x % ${columns * tileRows}u / ${columns}u);
  let column = id.x % ${columns * tileRows}u % ${columns}u;
  ${
    pixels.map(({ name }) => `var ${name}a = bias[2u * id.y]; var ${name}b = bias[2u * id.y + 1u];`).join(
      "\n  ",
    )
  }
  var at = (view * ${inputs * rows}u + row) * ${stride / 4}u + column;
  var weight = id.y * ${inputs * window ** 2}u;
  for (var channel = 0u; channel < ${inputs}u; channel++) {
    ${
    range(4 + window - 1).flatMap((y) =>
      [0, 1].map((x) => `let r${y}${x} = halves(input[at + ${y * stride / 4 + x}u]);`)
    ).join("\n    ")
  }
    ${
    places.map(({ i, j }) =>
      `{ let w = weights[weight + ${i * window + j}u]; let a = halves(w.xy); let b = halves(w.zw); ${
        pixels.map(({ y, x, name }) => {
          const value = `vec4f(r${y + i}${Math.floor((x + j) / 4)}.${component(x + j)})`;
          return `${name}a = fma(${value}, a, ${name}a); ${name}b = fma(${value}, b, ${name}b);`;
        }).join(" ")
      } }`
    ).join("\n    ")
  }
    at += ${rows * stride / 4}u;
    weight += ${window ** 2}u;
  }
  ${
    pixels.map(({ y, x, name }) =>
      `if (row + ${y}u < ${height}u && 4u * column + ${x}u < ${width}u) {
    let o = ((view * ${outputs}u + 8u * id.y) * ${height}u + row + ${y}u) * ${width}u + 4u * column + ${x}u;
    ${
        range(8).map((c) =>
          `output[o + ${c * width * height}u] = max(${name}${c < 4 ? "a" : "b"}.${component(c)}, 0.0);`
        ).join(" ")
      }
  }`
    ).join("\n  ")
  }
}
`;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}
