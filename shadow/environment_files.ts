/** What the environment's fingerprint covers; a test compares the list with the module graph. */

/** npm packages whose versions can change an answer: the hand is a file of one of them. */
export const ENVIRONMENT_PACKAGES: readonly string[] = [];

/** Every file of this program that `shadow/environment.ts` loads, from the root, sorted. */
export const ENVIRONMENT_FILES: readonly string[] = [];
