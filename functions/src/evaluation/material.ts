import type { EvaluationRequest } from './evaluation';

/** The caller's texts as judges are shown them: JSON strings, quotes included, by index. */
export interface Material {
  readonly prompt: string;
  readonly responses: readonly string[];
}

/** Encodes all texts of a request, once for all of its calls. */
export function materialOf({ prompt, responses }: EvaluationRequest): Material {
  return { prompt: jsonText(prompt), responses: responses.map(({ response }) => jsonText(response)) };
}

/** What a reader would not see: control, zero-width, bidirectional and tag characters, odd line ends. */
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]|[\u{e0100}-\u{e01ef}]/gu;

/**
 * A text as a JSON string from which nothing can escape: `</` is broken up, so that no closing tag can be forged, and
 * hidden characters show as `\u` escapes. `JSON.parse` gives the text back unchanged.
 */
export function jsonText(text: string): string {
  return JSON.stringify(text).replaceAll('</', '<\\/').replace(HIDDEN, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
