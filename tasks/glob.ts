/** Patterns over ids, as a command line takes them. */

/** Matches a whole text: `*` stands for any characters, `?` for one, everything else for itself. */
export function globPattern(glob: string): RegExp {
  const escaped = glob.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`);
}
