import { estimatePromptTokens } from '../../models/estimate-tokens';
import type { Run } from '../run';
import type { Question } from './question';

/** The least that any provider keeps in a cache; shorter beginnings are not worth naming. */
const CACHED_TOKENS_MIN = 1_024;
/** Whoever is asked in round 2 is asked again when there is a third: what is written to a cache once is read then. */
const ROUNDS_MIN = 3;

/**
 * The same question; where its model is shown the same conversation again in a later round, it says so. Writing to a
 * cache costs a quarter more and reading a tenth, so only what is read again is written.
 */
export function repeatedIn({ request, conversation }: Run, question: Question): Question {
  const { prompt, round, cut } = question;
  if (cut || round < 2 || request.rounds < ROUNDS_MIN) return question;
  const { text, pieces: _, ...last } = prompt.turns.at(-1) ?? { role: 'user', text: '' };
  const { message } = conversation;
  const beginning = { ...prompt, turns: [...prompt.turns.slice(0, -1), { ...last, text: message }] };
  const isLong = estimatePromptTokens(beginning) >= CACHED_TOKENS_MIN && text.length > message.length;
  return isLong ? { ...question, prompt: { ...prompt, repeatedCharacters: message.length } } : question;
}
