/** Characters that turn the order of those around them, and could make a text say what it does not. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const HEX = 16;

/** The text, with characters that would turn the reading order shown by their names instead of obeyed. */
export function visibleText(text: string): string {
  return text.replace(TURNING, (sign) => `⟨U+${sign.charCodeAt(0).toString(HEX).toUpperCase().padStart(4, '0')}⟩`);
}
