import assert from "node:assert/strict";
import { globPattern } from "../../tasks/glob.ts";

for (
  const { glob, matches, others } of [
    { glob: "table*", matches: ["table", "table__sculpt"], others: ["a_table", "tabl"] },
    { glob: "*__table__*", matches: ["m__table__sculpt__eval_r1"], others: ["m__tables__eval"] },
    { glob: "r?", matches: ["r1", "r2"], others: ["r", "r12"] },
    { glob: "gpt-6.1[a]+(b)", matches: ["gpt-6.1[a]+(b)"], others: ["gpt-621[a]+(b)", "gpt-6.1a"] },
    { glob: "", matches: [""], others: ["x"] },
  ]
) {
  Deno.test(`globPattern() of ${JSON.stringify(glob)} matches whole texts only`, () => {
    for (const text of matches) assert.match(text, globPattern(glob));
    for (const text of others) assert.doesNotMatch(text, globPattern(glob));
  });
}
