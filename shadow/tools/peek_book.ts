import { z } from "zod";
import { DEFAULT_SCORE } from "../score/score_profile.ts";
import { defineTool } from "./tool.ts";

export const peekBook = defineTool({
  name: "peek_book",
  description:
    "See the page of the book that the target comes from, with its drawing of the hands where there is one, and a line " +
    `of advice. Each peek multiplies the final score by ${DEFAULT_SCORE.peekFactor}.`,
  args: z.strictObject({}),
  cost: { peeks: 1 },
  run(_args, { task, studio }) {
    return { text: `The book: ${task.hint}`, image: studio.bookPage(), peeked: true };
  },
});
