import { type ModelRow, thinksFirst } from '../../models/catalog';
import { estimatePromptTokens, estimateTokens } from '../../models/estimate-tokens';
import { type CallPurpose, FULL_LENGTH } from '../../models/model';
import { priceCall } from '../../models/prices';
import { SEARCHES, withSearches } from '../../models/web-search';
import { finalCheckWords } from '../checks/check-words';
import type { ModelPaces } from '../deadline/answer-times';
import { finalFormWords } from '../form/form-words';
import type { Seat } from '../panel/panel';
import type { EnsembleRequest } from '../run';
import type { ExpectedCall, Wave } from './calls';

/** Length that all replies of a run are taken to have. */
export type ReplyLength = 'short' | 'usual' | 'long';

/** Consumption of calls. */
export interface Amounts {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** At list prices; a model without a known price adds nothing. */
  readonly costNanoUsd: number;
}

type Lengths = Readonly<Record<ReplyLength, number>>;

const NOTHING: Amounts = { promptTokens: 0, completionTokens: 0, costNanoUsd: 0 };
/** Tokens of our own words in a prompt. */
const OWN_WORDS: Lengths = { short: 0, usual: 200, long: 350 };
/** Tokens that a model which thinks writes before its text, unseen and paid for. */
const THOUGHTS: Lengths = { short: 0, usual: 1_000, long: 3_000 };
/** Tokens of a text of full length; and the share of the message's length that is added, as a text may go through all of it. */
const TEXT: Lengths = { short: 50, usual: 470, long: 1_200 };
const TEXT_OF_MESSAGE: Lengths = { short: 0, usual: 0.1, long: 1 };
/** Tokens of a judgement, a plan or a review: JSON of a few sentences. */
const FORM: Lengths = { short: 20, usual: 330, long: 700 };
/** Tokens of three short messages. */
const SUGGESTIONS: Lengths = { short: 10, usual: 60, long: 150 };

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
    const read = conversation + instructions(call) + OWN_WORDS[length] + reads * textTokens(messageTokens, length);
    const usage = withSearches(Math.round(read), maySearch(call) ? SEARCHES[length] : 0);
    const completionTokens = Math.round(replyTokens(seat, purpose, { messageTokens, length }));
    const { costNanoUsd } = priceCall(seat.model, { ...usage, completionTokens }, atMs);
    return { promptTokens: usage.promptTokens, completionTokens, costNanoUsd };
  };
  return (calls, length) =>
    calls.reduce((sum, call) => {
      const { promptTokens, completionTokens, costNanoUsd } = estimateCall(call, length);
      return {
        promptTokens: sum.promptTokens + promptTokens,
        completionTokens: sum.completionTokens + completionTokens,
        costNanoUsd: sum.costNanoUsd + costNanoUsd,
      };
    }, NOTHING);
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
  const thoughts = thinksFirst(model) || reasoningEffort !== undefined ? THOUGHTS[length] : 0;
  if (purpose === 'follow_ups') return SUGGESTIONS[length] + thoughts;
  return (FULL_LENGTH.has(purpose) ? textTokens(messageTokens, length) : FORM[length]) + thoughts;
}

/** Tokens of a text of full length that answers a message of so many. */
function textTokens(messageTokens: number, length: ReplyLength): number {
  return TEXT[length] + TEXT_OF_MESSAGE[length] * messageTokens;
}

/** True of calls that may search the web: first texts, and an answer that is made from none. */
function maySearch({ seat, purpose, reads }: ExpectedCall): boolean {
  return seat.webSearch === true && (purpose === 'draft' || (purpose === 'answer' && reads === 0));
}

/** Tokens that every prompt shows of the conversation. */
function conversationTokens({ message, images, history, tools, toolResults }: EnsembleRequest): number {
  const turn = { role: 'user' as const, text: message, ...(images && { images }), ...(toolResults && { toolResults }) };
  return estimatePromptTokens({ turns: [...history, turn], ...(tools && { tools }) });
}

/** Tokens of a call's instructions, checks and form of the answer, which its author is sent as a schema too. */
function instructionTokens(request: EnsembleRequest): (call: ExpectedCall) => number {
  const { panel, systemPrompt = '', sharedPrompt = '', answerForm, checks } = request;
  const words = [...finalFormWords(answerForm), ...finalCheckWords(checks)];
  const form = words.reduce((sum, each) => sum + estimateTokens(each), 0);
  return ({ purpose, seat: { id, systemPrompt: own = '' } }) => {
    const shared = id === panel.arbiter.id ? systemPrompt : sharedPrompt;
    return estimateTokens(shared + own) + (purpose === 'answer' && answerForm?.schema ? 2 : 1) * form;
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
