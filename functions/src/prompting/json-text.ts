/** Characters that a reader does not see: control, zero-width, bidirectional and tag characters, odd line ends. */
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]|[\u{e0100}-\u{e01ef}]/gu;

/** A text as a JSON string that reads back unchanged: no closing tag is in it, and hidden characters are escaped. */
export function jsonText(text: string): string {
  return JSON.stringify(text).replaceAll('</', '<\\/').replace(HIDDEN, escaped);
}

function escaped(character: string): string {
  return character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
