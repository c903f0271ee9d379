import { estimatePromptTokens } from '../../models/estimate-tokens';
import type { ChatTurn } from '../../models/model';
import { cachedTokensMin, markedConversation, withMark } from '../../models/prompt-caches';
import type { Run } from '../run';
import type { Question } from './question';

/** The same question; marks its beginning for the provider's cache where it is read again in the run. */
export function repeatedIn(run: Run, question: Question): Question {
  const { prompt, cut } = question;
  const { message } = run.conversation;
  // Tools stand before all else: no later call is told that it may search.
  if (cut || prompt.webSearch) return question;
  const key = cacheKey(question);
  if (!(run.keptBeginnings.has(key) || isReadAgain(run, question)) || !isLong(question, message)) return question;
  run.keptBeginnings.add(key);
  const turns = prompt.turns.slice(0, -1);
  const last = prompt.turns.at(-1) as ChatTurn;
  return { ...question, prompt: { ...prompt, turns: [...turns, withMark(last, last.text.length - message.length)] } };
}

/**
 * The same question; marks for the provider's cache what the next request of its conversation will begin with: to a model
 * that answers alone words of the service are shown in this request alone.
 */
export function continuedBy(question: Question): Question {
  const { prompt, cut, seat, plain, promptDraft } = question;
  // A prompt that was cut to a window will be cut elsewhere the next time.
  if (cut || estimatePromptTokens(prompt) < cachedTokensMin(seat.model)) return question;
  const passing = plain ? (prompt.turns.at(-1)?.text.length ?? 0) - promptDraft.conversation.message.length : 0;
  return { ...question, prompt: markedConversation(prompt, passing) };
}

/** Key by which providers keep a beginning; a schema stands before all else for them. */
function cacheKey({ seat, prompt, outputSchema }: Pick<Question, 'seat' | 'prompt' | 'outputSchema'>): string {
  return JSON.stringify([seat.model.id, prompt.system, seat.reasoningEffort, outputSchema?.name]);
}

function isReadAgain({ request }: Run, question: Question): boolean {
  const { panel, rounds, answerForm, systemPrompt: system } = request;
  if (question.purpose === 'answer') return false;
  if (question.round < rounds) return true;
  const answer = { seat: panel.arbiter, prompt: { ...(system !== undefined && { system }), turns: [] } };
  return !answerForm && cacheKey(question) === cacheKey(answer);
}

function isLong({ prompt, seat }: Question, message: string): boolean {
  const { pieces: _, ...last } = prompt.turns.at(-1) ?? { role: 'user', text: '' };
  const beginning = { ...prompt, turns: [...prompt.turns.slice(0, -1), { ...last, text: message }] };
  return estimatePromptTokens(beginning) >= cachedTokensMin(seat.model);
}
