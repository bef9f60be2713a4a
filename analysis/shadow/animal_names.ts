/** Whether a plan names the right animal. */

/**
 * A plan names its animal when its subject has a word of the plate's title, or another name of the same animal.
 *
 * @param subject of the plan
 * @param title of the plate, e.g. `The rabbit`
 */
export function namesAnimal(subject: string, title: string): boolean {
  const wanted = new Set(words(title).flatMap((word) => [word, ...sameAnimal(word)]));
  return words(subject).some((word) => wanted.has(word));
}

/** The title of a plate whose table has none: its id without the book. */
export function titleFromId(taskId: string): string {
  return taskId.replace(/^[^_]*_/, "").replaceAll("_", " ");
}

/** Names that mean one animal, or its kinds and young. */
const SAME_ANIMAL = [
  ["rabbit", "bunny", "hare"],
  ["dog", "hound", "greyhound", "bulldog", "terrier", "spaniel", "puppy"],
  ["cat", "kitten"],
  ["cow", "ox", "bull", "calf"],
  ["horse", "pony", "mare", "foal"],
  ["donkey", "ass", "mule"],
  ["goat", "billy", "kid"],
  ["sheep", "lamb", "ram"],
  ["pig", "hog", "boar", "piglet"],
  ["deer", "stag", "reindeer", "fawn", "doe", "buck"],
  ["camel", "dromedary"],
  ["rooster", "cock", "cockerel", "hen", "chicken"],
  ["pigeon", "dove"],
  ["parrot", "cockatoo", "macaw"],
  ["turtle", "tortoise"],
  ["monkey", "ape"],
  ["mouse", "rat"],
  ["snake", "serpent"],
  ["crocodile", "alligator"],
];

/** Words that say nothing of which animal it is. */
const COMMON = new Set([
  ..."a an the of and with in on its his her two one".split(" "),
  ..."head face profile shadow animal old young little running flying sitting".split(" "),
]);

/** Lower case, singular, without the common ones. */
function words(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !COMMON.has(word)).map(singular);
}

function singular(word: string): string {
  if (/ies$/.test(word)) return word.replace(/ies$/, "y");
  return /[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

function sameAnimal(word: string): readonly string[] {
  return SAME_ANIMAL.find((names) => names.includes(word)) ?? [];
}
