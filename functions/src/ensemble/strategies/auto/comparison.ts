import { statedAnswer } from '../../../prompting/answer-line';
import { canonicalJson } from '../../../prompting/json-schema/canonical-json';
import { comparableAnswer, textsAgree } from '../../agreement/answers-agree';
import { unicodeWords } from '../../checks/rules';
import { firstPlaces } from '../../form/agreement-by-place';
import { areTooLong, jsonIn } from '../../form/answer-form';
import type { EnsembleRequest } from '../../run';

/** Relation of two answers that were written independently; `open` where neither can be told without asking a model. */
export type Comparison = 'same' | 'different' | 'open';

type Held = Pick<EnsembleRequest, 'answerForm' | 'checks'>;

/** Compares two whole drafts: values where the caller holds the answer to a schema, else what they state. */
export function comparison(texts: readonly [string, string], { answerForm, checks }: Held): Comparison {
  if (areTooLong(texts)) return 'open';
  if (answerForm || checks?.rules.some(({ name }) => name === 'jsonSchema')) return jsonComparison(texts);
  const items = texts.map((text) => ({ text }));
  if (textsAgree(items, undefined)?.share === 1) return 'same';
  return texts.every(isExact) ? 'different' : 'open';
}

const WORDS_MAX = 2;

/**
 * True for a text such that another one which differs contradicts it: it states an answer, or is a number or a word or
 * two. Greetings, titles, prose, code and JSON in no form may differ and all be right.
 */
export function isExact(text: string): boolean {
  if (!comparableAnswer(text)?.startsWith('words ')) return false;
  const whole = text.trim();
  if (statedAnswer(whole.split('\n')) !== undefined) return true;
  const words = [...unicodeWords().segment(whole)].filter(({ isWordLike }) => isWordLike);
  const named = words.filter(({ segment }) => /\p{L}/u.test(segment));
  return words.length > 0 && named.length <= WORDS_MAX && !/[!?！？]/.test(whole);
}

const LINE =
  /(?:answer|antwort|réponse|respuesta|resposta|risposta|ответ|答案|回答|答え|정답|답)[\s*_`"'”]{0,4}[:：]/iu;
/** A form is asked for at the beginning of instructions or at the end of a message. */
const ASKED_CHARACTERS = 4_000;

/** True where the caller's words ask for a final answer on a line of its own. */
export function asksForFinalAnswer({
  message,
  systemPrompt = '',
}: Pick<EnsembleRequest, 'message' | 'systemPrompt'>): boolean {
  return [message.slice(-ASKED_CHARACTERS), systemPrompt.slice(0, ASKED_CHARACTERS)].some((text) => LINE.test(text));
}

/** Longer texts are prose: two of them may say the same in other words. */
const VALUE_CHARACTERS_MAX = 40;

function jsonComparison(texts: readonly [string, string]): Comparison {
  const values = texts.flatMap((text) => jsonIn(text) ?? []).map(({ value }) => value);
  if (values.length < 2) return 'open';
  const [one, other] = values.map((value) => canonicalJson(value));
  if (one === other) return 'same';
  const [first = new Map(), second = new Map()] = values.map(
    (value) => new Map(firstPlaces(value).map(({ pointer, json }) => [pointer, json])),
  );
  const pointers = [...new Set([...first.keys(), ...second.keys()])];
  const isContradicted = (pointer: string): boolean => {
    const found = [first.get(pointer), second.get(pointer)];
    return found[0] !== found[1] && !found.every(isProse);
  };
  return pointers.some(isContradicted) ? 'different' : 'open';
}

function isProse(json: string | undefined): boolean {
  return json?.startsWith('"') === true && json.length > VALUE_CHARACTERS_MAX + 2;
}
