import { jsonExcess } from '../../lib/json-limits';
import { parsedJson } from '../../lib/parsed-json';
import { statedAnswer } from '../../prompting/answer-line';
import { canonicalJson } from '../../prompting/json-schema/canonical-json';
import { normalisedAnswer } from '../../prompting/normalised-answer';

/** What is longer is prose: two such texts may say the same in other words. */
const STATED_MAX = 200;
const BRIEF_MAX = 40;

/**
 * What a text comes to, in a form in which equal answers are equal: the answer that one of its last lines states (`ANSWER:
 * 42`), else all of it where it is one block of code, a list or object of JSON, or one line of a few words. Undefined for
 * prose, of which equality cannot be told without a model.
 */
export function comparableAnswer(text: string): string | undefined {
  const lines = text.trim().split('\n');
  const stated = statedAnswer(lines);
  if (stated !== undefined) return inWords(stated, STATED_MAX);
  return codeOf(lines) ?? jsonOf(lines.join('\n')) ?? (lines.length === 1 ? inWords(lines[0], BRIEF_MAX) : undefined);
}

function inWords(text = '', charactersMax: number): string | undefined {
  const words = text.length > charactersMax ? '' : normalisedAnswer(text);
  return words === '' ? undefined : `words ${words}`;
}

/** Code as it stands between the only two fences, but for spaces at the end of lines: case and indents mean something. */
function codeOf(lines: readonly string[]): string | undefined {
  const fences = lines.filter((line) => FENCE.test(line));
  if (fences.length !== 2 || fences[0] !== lines[0] || fences[1] !== lines.at(-1)) return undefined;
  const code = lines
    .slice(1, -1)
    .map((line) => line.trimEnd())
    .join('\n');
  return jsonOf(code) ?? `code ${code.trim()}`;
}

const FENCE = /^(?:```|~~~)/;

/** A list or an object, whatever its spaces and the order of its names. */
function jsonOf(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text) || jsonExcess(Buffer.from(text)) !== undefined) return undefined;
  const value = parsedJson(text);
  return value === undefined ? undefined : `json ${canonicalJson(value)}`;
}
