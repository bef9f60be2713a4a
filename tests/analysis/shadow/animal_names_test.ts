import assert from "node:assert/strict";
import { namesAnimal, titleFromId } from "../../../analysis/shadow/animal_names.ts";

for (
  const [subject, title, named] of [
    ["A rabbit with long ears", "The Bunny", true],
    ["HARE", "rabbit", true],
    ["two kittens", "Cat", true],
    ["a pony's head", "Horse", true],
    ["wolves", "Goat", false],
    ["an animal's head in profile", "Head of an old man", false],
    ["old man with a hat", "Head of an old man", true],
    ["geese", "Bird", false],
    ["a catfish", "Cat", false],
    ["ponies", "horse", true],
    ["a bird or a rabbit", "Rabbit", true],
    ["", "Rabbit", false],
    ["glass", "lass", false],
  ] as const
) {
  Deno.test(`namesAnimal() is ${named} for ${JSON.stringify(subject)} of ${title}`, () => {
    assert.equal(namesAnimal(subject, title), named);
  });
}

Deno.test("titleFromId() leaves the book out", () => {
  assert.equal(titleFromId("hilliar_giraffe"), "giraffe");
  assert.equal(titleFromId("bursill_old_man"), "old man");
  assert.equal(titleFromId("rabbit"), "rabbit");
});
