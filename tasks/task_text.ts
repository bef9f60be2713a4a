/** Most characters of a line, without the comma after it. */
const LINE = 109;

/** The text of a stored task file, as formatters leave it: an entry a line, lists of numbers on one where they fit. */
export function taskFileText(task: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(task, null, 2).replaceAll(
    /^(.*)(\[\n[-+.\de,\n ]+\])/gm,
    (lines, before: string, list: string) => {
      const line = before + JSON.stringify(JSON.parse(list)).replaceAll(",", ", ");
      return line.length > LINE ? lines : line;
    },
  );
  return `${text}\n`;
}
