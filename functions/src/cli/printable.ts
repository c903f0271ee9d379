import { escaped } from '../lib/visible-text';

/**
 * Characters that a terminal does not show as they are: control and format characters (escape codes, reversed text), what is
 * invisible, line ends, blanks other than single ones inside a text, and piled-up accents.
 */
const UNPRINTABLE = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|[^\S ]|(?<= ) |^ | $|(?<=\p{M}{2})\p{M}/gu;

/** The same within JSON, where blanks are harmless and line ends are escaped already. */
const UNPRINTABLE_IN_JSON = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** A text from outside as one line of visible characters: everything else is shown by its code, such as `\u001b`. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, escaped);
}

/** A value as JSON on one line that means the same and has only visible characters. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNPRINTABLE_IN_JSON, escaped);
}
