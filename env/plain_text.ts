/** Text from elsewhere (an endpoint, a stranger's folder) for people to read: nothing in it that a terminal obeys. */

/** Makes control characters visible, ESC as ␛; line ends stay. */
export function plainText(text: string): string {
  return text.replaceAll(CONTROL, visible);
}

/** The same in one line. */
export function plainLine(text: string): string {
  return plainText(text.replaceAll(/[^\S ]+/g, " "));
}

/** Control characters, and those that turn the direction of what follows. */
const CONTROL = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
