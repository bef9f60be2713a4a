/** A compile error as a person reads it: one sentence and its 1-based place in the module's text. */
export interface CompileError {
  readonly line: number;
  readonly column: number;
  readonly sentence: string;
}

/**
 * Shortens a WGSL compiler message. It has many lines:
 *
 * ```text
 * Shader validation error: Function [1] 'f' is invalid     headline; the message's place is all of `f`
 *   ┌─ :3:1
 * 3 │ ╭ fn f(a: f32) -> f32 {
 * 4 │ │   return 1u;
 *   │ │          ^^ naga::ir::Expression [4]               the statement at fault, where one is marked
 * 5 │ │ }
 *   │ ╰─^ naga::ir::Function [1]
 *   = The `return` expression does not match …             notes
 * ```
 */
export function explainCompileMessage(
  { message, lineNum, linePos }: { message: string; lineNum: number; linePos: number },
): CompileError {
  const lines = message.split("\n");
  const headline = lines.find((line) => line.trim() !== "") ?? "unknown error";
  // A parse error's label says its headline again.
  const labels = headline.includes("validation") ? lines.flatMap((line) => LABEL.exec(line)?.[1] ?? []) : [];
  const notes = lines.flatMap((line) => NOTE.exec(line)?.[1] ?? []);
  const sentence = [headline.replace(/^Shader '.*?' /, ""), ...labels, ...notes].map((part) => part.trim())
    .join("; ");
  return { ...(markedStatement(lines) ?? { line: lineNum, column: linePos }), sentence };
}

/** The words behind an underline, unless they name the compiler's own tables. */
const LABEL = /^\s*│[\s│]*\^+ (?!naga::)(.+)$/;
const NOTE = /^\s*= (.+)$/;

/** A source line inside a span of several lines, and an underline inside such a span. */
const SOURCE_IN_SPAN = /^\s*(\d+) │ │ /;
const UNDERLINE_IN_SPAN = /^\s*│ │ +\^/;

function markedStatement(lines: readonly string[]): { line: number; column: number } | undefined {
  const underline = lines.findIndex((line) => UNDERLINE_IN_SPAN.test(line));
  const source = lines.slice(0, Math.max(underline, 0)).findLast((line) => SOURCE_IN_SPAN.test(line));
  const match = source === undefined ? null : SOURCE_IN_SPAN.exec(source);
  return match
    ? { line: Number(match[1]), column: lines[underline].indexOf("^") - match[0].length + 1 }
    : undefined;
}
