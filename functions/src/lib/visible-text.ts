/** Characters that act on a terminal or on the order of its lines instead of being shown there. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * The text with escapes (`\u001b`) for what a terminal would act on instead of showing it: control characters, marks that
 * change the direction of writing, breaks of lines. In JSON it means the same as before.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** A character by the code of each of its units. */
export function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
}
