import { jsonExcess, parsedJson } from '../../lib/json';
import { toFourDecimals } from '../../lib/to-four-decimals';
import { normalisedAnswer, statedAnswer } from '../../prompting/answer-line';
import { canonicalJson } from '../../prompting/json-schema/canonical-json';
import { firstPlaces } from '../form/agreement-by-place';
import { type AnswerForm, areTooLong, jsonIn } from '../form/answer-form';
import { type Agreement, pairShare } from './agreement';

/** A text of a participant, which may be cut off. */
export interface GivenText {
  readonly text: string;
  readonly isCut?: boolean;
}

/** Agreement of texts by their JSON or final answers; undefined for prose, unless all are the same. */
export function textsAgree(items: readonly GivenText[], form: AnswerForm | undefined): Agreement | undefined {
  const texts = items.filter(({ isCut }) => !isCut).map(({ text }) => text);
  if (texts.length < 2 || areTooLong(texts)) return undefined;
  if (form) return jsonValuesAgree(texts);
  const answers = items.map(({ text, isCut }) => (isCut ? undefined : comparableAnswer(text)));
  if (answers.filter((answer) => answer !== undefined).length === texts.length) return answersAgree(answers);
  const isSame = texts.every((text) => text.trim() === texts[0]?.trim());
  return isSame
    ? { share: 1, measuredOn: 'final_answers', words: `${allOf(texts.length)} texts are the same.` }
    : undefined;
}

/** Share of pairs that give the same final answer; a missing one agrees with none. Undefined for fewer than two. */
export function answersAgree(answers: readonly (string | undefined)[]): Agreement | undefined {
  const given = answers.filter((answer) => answer !== undefined);
  if (given.length < 2) return undefined;
  const sizes = groupSizes(given);
  return {
    share: toFourDecimals(pairShare(sizes, answers.length)),
    measuredOn: 'final_answers',
    words: groupWords(sizes, given.length) + missingWords(answers.length - given.length),
  };
}

/** True if the answer that most texts give stays that whatever so many more say; one that cannot be compared may say any. */
export function majorityStays(items: readonly GivenText[], form: AnswerForm | undefined, more: number): boolean {
  if (areTooLong(items.map(({ text }) => text))) return false;
  const answers = items.flatMap(({ text, isCut }) => (isCut ? [] : (answerIn(text, form) ?? [])));
  const [most = 0, second = 0] = groupSizes(answers);
  return most > second + (items.length - answers.length) + more;
}

function answerIn(text: string, form: AnswerForm | undefined): string | undefined {
  const json = form && jsonIn(text);
  return form ? json && canonicalJson(json.value) : comparableAnswer(text);
}

function groupSizes(answers: readonly string[]): number[] {
  return [...Map.groupBy(answers, (answer) => answer).values()].map(({ length }) => length).sort((a, b) => b - a);
}

function groupWords(sizes: readonly number[], count: number): string {
  const [largest = 0, second = 0] = sizes;
  if (largest === count) return `${allOf(count)} final answers are the same.`;
  if (largest === 1 && count === 2) return 'The 2 final answers are not the same, word for word.';
  if (largest === 1) return `No two of ${count} final answers are the same, word for word.`;
  if (second < 2) return `${largest} of ${count} final answers are the same.`;
  return `${count} final answers fall into groups of ${sizes.join(', ')} that are the same.`;
}

function missingWords(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' One participant gave none.' : ` ${count} participants gave none.`;
}

function allOf(count: number): string {
  return count === 2 ? 'Both' : `All ${count}`;
}

/** Share of pairs with the same value, on average over the places of their JSON; undefined for fewer than two. @internal */
export function jsonValuesAgree(texts: readonly string[]): Agreement | undefined {
  const found = texts.flatMap((text) => jsonIn(text) ?? []).map(({ value }) => firstPlaces(value));
  const told = found.filter((places) => places.length > 0);
  if (told.length < 2) return undefined;
  const byPointer = Map.groupBy(told.flat(), ({ pointer }) => pointer);
  const shares = [...byPointer.values()].map((places) => {
    const sizes = [...Map.groupBy(places, ({ json }) => json).values()].map(({ length }) => length);
    return pairShare(sizes, texts.length);
  });
  const same = shares.filter((share) => share === 1).length;
  return {
    share: toFourDecimals(shares.reduce((sum, share) => sum + share, 0) / shares.length),
    measuredOn: 'json_values',
    words: `${allOf(texts.length)} candidates have the same value at ${same} of ${shares.length} ${shares.length === 1 ? 'place' : 'places'} of the JSON.`,
  };
}

/** Longer texts are prose: two of them may say the same in other words. */
const STATED_MAX = 200;
const BRIEF_MAX = 40;

/** The answer that a text states, or all of a text that is code, JSON or a few words, in normal form. */
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
