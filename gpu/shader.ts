import { GpuError } from "../env/errors.ts";
import type { StructText } from "./struct_layout.ts";

/** A WGSL text and where it came from. */
export interface ShaderPiece {
  readonly file: string;
  readonly code: string;
}

/** One WGSL module put together from pieces, which remembers where each line came from. */
export interface Shader {
  readonly code: string;
  /** Maps a 1-based line of `code` to the file and the line in it. */
  locate(line: number): { file: string; line: number };
}

/** A `var<storage>` of group 0. */
export interface Binding {
  readonly binding: number;
  readonly name: string;
  readonly access: "read" | "read_write";
}

/** Struct declarations first, then libraries in order, then the kernel. */
export function assembleShader(
  structs: readonly StructText[],
  libraries: readonly ShaderPiece[],
  kernel: ShaderPiece,
): Shader {
  const declared = structs.map(({ name, wgsl }) => ({ file: `struct ${name}`, code: wgsl }));
  const pieces = [...declared, ...libraries, kernel];
  const texts = pieces.map(({ code }) => code.endsWith("\n") ? code : `${code}\n`);
  return {
    code: texts.join(""),
    locate: (line) => {
      let rest = line;
      for (const [index, text] of texts.entries()) {
        const lines = text.split("\n").length - 1;
        // An error at the end of the text lies one line behind the last piece.
        if (rest <= lines || index === texts.length - 1) return { file: pieces[index].file, line: rest };
        rest -= lines;
      }
      return { file: kernel.file, line };
    },
  };
}

/**
 * Reads the `@group(0) @binding(n) var<storage, …> name: type;` lines of a kernel, from which its bind-group layout
 * is made. (WebGPU's automatic layout drops bindings the code does not reach and cannot be shared.)
 *
 * Throws GpuError, with file and line, on a binding of another kind or a number or name used twice.
 */
export function parseBindings(piece: ShaderPiece): Binding[] {
  const code = blankComments(piece.code);
  const bindings: Binding[] = [];
  for (const attribute of code.matchAll(/@binding\b/g)) {
    const line = code.slice(0, attribute.index).split("\n").length;
    const statement = statementAround(code, attribute.index);
    const match = STORAGE.exec(statement);
    const fail = (why: string) =>
      new GpuError({
        what: `Cannot read the bindings of ${piece.file}:${line}`,
        why,
        fix: "Write `@group(0) @binding(n) var<storage, read|read_write> name: type;`",
      });
    if (!match) throw fail(`"${statement}" is no storage binding of group 0`);
    const binding = Number(match[1]);
    const name = match[3];
    if (bindings.some((b) => b.binding === binding)) throw fail(`binding ${binding} is declared twice`);
    bindings.push({ binding, name, access: match[2] === "read_write" ? "read_write" : "read" });
  }
  return bindings;
}

const STORAGE =
  /^@group\(\s*0u?\s*\)\s*@binding\(\s*(\d+)u?\s*\)\s*var\s*<\s*storage\s*(?:,\s*(read|read_write)\s*)?>\s*(\w+)\s*:/;

/** The statement that holds position `at`, from the `;` or `}` before it to the next `;`. */
function statementAround(code: string, at: number): string {
  const start = Math.max(code.lastIndexOf(";", at), code.lastIndexOf("}", at)) + 1;
  const end = code.indexOf(";", at);
  return code.slice(start, end === -1 ? undefined : end + 1).trim();
}

/** Replaces comments by blanks and keeps line breaks, so that positions stay. */
function blankComments(code: string): string {
  return code.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, " "));
}
