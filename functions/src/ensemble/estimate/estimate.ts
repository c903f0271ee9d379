import { type ModelRow, thinksFirst } from '../../models/catalog';
import { estimatePromptTokens, estimateTokens } from '../../models/estimate-tokens';
import { type CallPurpose, FULL_LENGTH } from '../../models/model';
import { priceCall } from '../../models/prices';
import { SEARCHES, withSearches } from '../../models/web-search';
import type { ModelPaces } from '../deadline/answer-times';
import { finalFormWords } from '../form/form-words';
import type { Seat } from '../panel/panel';
import type { EnsembleRequest } from '../run';
import type { ExpectedCall, Wave } from './calls';

/** Length that all replies of a run are taken to have. */
type ReplyLength = keyof typeof TOKENS;

/** Consumption of calls. */
export interface Amounts {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** At list prices; a model without a known price adds nothing. */
  readonly costNanoUsd: number;
}

/**
 * Tokens by that length: of our own words in a prompt; of thoughts, which a model that thinks writes before its text,
 * unseen and paid for; of a text of full length, with the share of the message's length that is added, as a text may go
 * through all of it; of a judgement, a plan or a review; of three short messages.
 */
const TOKENS = {
  short: { ownWords: 0, thoughts: 0, text: 50, ofMessage: 0, judgement: 20, suggestions: 10 },
  usual: { ownWords: 200, thoughts: 1_000, text: 470, ofMessage: 0.1, judgement: 330, suggestions: 60 },
  long: { ownWords: 350, thoughts: 3_000, text: 1_200, ofMessage: 1, judgement: 700, suggestions: 150 },
} as const;

/** Estimates calls of one request at the prices of `atMs`, when all replies have a length. */
export function estimator(
  request: EnsembleRequest,
  atMs: number,
): (calls: readonly ExpectedCall[], length: ReplyLength) => Amounts {
  const messageTokens = estimateTokens(request.message);
  const conversation = conversationTokens(request);
  const instructions = instructionTokens(request);
  const estimateCall = (call: ExpectedCall, length: ReplyLength): Amounts => {
    const { seat, purpose, reads } = call;
    const read =
      conversation + instructions(call) + TOKENS[length].ownWords + reads * textTokens(messageTokens, length);
    const usage = withSearches(Math.round(read), maySearch(call) ? SEARCHES[length] : 0);
    const completionTokens = Math.round(replyTokens(seat, purpose, { messageTokens, length }));
    const { costNanoUsd } = priceCall(seat.model, { ...usage, completionTokens }, atMs);
    return { promptTokens: usage.promptTokens, completionTokens, costNanoUsd };
  };
  return (calls, length) => {
    const each = calls.map((call) => estimateCall(call, length));
    const sum = (of: (amounts: Amounts) => number): number => each.reduce((total, amounts) => total + of(amounts), 0);
    return {
      promptTokens: sum(({ promptTokens }) => promptTokens),
      completionTokens: sum(({ completionTokens }) => completionTokens),
      costNanoUsd: sum(({ costNanoUsd }) => costNanoUsd),
    };
  };
}

/** Least cost of the arbiter's answer when it is asked alone, nano-USD: no run comes cheaper. */
export function leastCostNanoUsd(request: EnsembleRequest, atMs: number): number {
  const answer = { seat: request.panel.arbiter, purpose: 'answer', reads: 0 } as const;
  return estimator(request, atMs)([answer], 'short').costNanoUsd;
}

/** Tokens of a reply of this seat, thoughts included. */
export function replyTokens(
  { model, reasoningEffort }: Seat,
  purpose: CallPurpose,
  { messageTokens, length }: { readonly messageTokens: number; readonly length: ReplyLength },
): number {
  const thoughts = thinksFirst(model) || reasoningEffort !== undefined ? TOKENS[length].thoughts : 0;
  if (purpose === 'follow_ups') return TOKENS[length].suggestions + thoughts;
  return (FULL_LENGTH.has(purpose) ? textTokens(messageTokens, length) : TOKENS[length].judgement) + thoughts;
}

/** Tokens of a text of full length that answers a message of so many. */
function textTokens(messageTokens: number, length: ReplyLength): number {
  return TOKENS[length].text + TOKENS[length].ofMessage * messageTokens;
}

/** True of calls that may search the web: first texts, and an answer that is made from none. */
function maySearch({ seat, purpose, reads }: ExpectedCall): boolean {
  return seat.webSearch === true && (purpose === 'draft' || (purpose === 'answer' && reads === 0));
}

/** Tokens of a request as one model would be shown it. */
export function promptTokens(request: EnsembleRequest): number {
  return conversationTokens(request) + estimateTokens(request.systemPrompt ?? '');
}

/** Tokens that every prompt shows of the conversation. */
function conversationTokens({ message, images, history, tools, toolResults }: EnsembleRequest): number {
  const turn = { role: 'user' as const, text: message, ...(images && { images }), ...(toolResults && { toolResults }) };
  return estimatePromptTokens({ turns: [...history, turn], ...(tools && { tools }) });
}

/** Tokens of a call's instructions, of checks and form of the answer, which its author is sent as a schema too, and of earlier advice. */
function instructionTokens(request: EnsembleRequest): (call: ExpectedCall) => number {
  const { panel, systemPrompt = '', sharedPrompt = '', answerForm, agent } = request;
  const earlier = agent?.earlier?.reduce((sum, { words }) => sum + estimateTokens(words), 0) ?? 0;
  const form = finalFormWords(request).reduce((sum, each) => sum + estimateTokens(each), 0);
  return ({ purpose, seat: { id, systemPrompt: own = '' } }) => {
    const shared = id === panel.arbiter.id ? systemPrompt : sharedPrompt;
    const isAnswer = purpose === 'answer';
    return estimateTokens(shared + own) + (isAnswer && answerForm?.schema ? 2 : 1) * form + (isAnswer ? earlier : 0);
  };
}

/** Milliseconds that a text takes of a model whose pace is not known; of one that thinks. */
const TEXT_MS = 20_000;
const THINKING_TEXT_MS = 60_000;

/** Milliseconds that waves take, one after the other: each as long as the slowest of its models. */
export function estimateMs(waves: readonly Wave[], paces: ModelPaces): number {
  return waves.reduce((sum, { calls }) => sum + Math.max(0, ...calls.map(({ seat }) => callMs(seat.model, paces))), 0);
}

/** Milliseconds that a call of a model takes. */
export function callMs(model: ModelRow, paces: ModelPaces): number {
  return paces.p95Ms(model.id) ?? (thinksFirst(model) ? THINKING_TEXT_MS : TEXT_MS);
}
