import { type ModelRow, thinksFirst } from '../../models/catalog';
import { estimatePromptTokens, estimateTokens } from '../../models/estimate-tokens';
import type { CallPurpose } from '../../models/model';
import { priceCall } from '../../models/prices';
import { finalFormWords } from '../form/form-words';
import type { EnsembleRequest } from '../run';
import type { PlannedCall } from './planned-wave';

/** Between what a thing is likely to come to. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** What calls are likely to consume. */
export interface Projection {
  readonly promptTokens: Range;
  readonly completionTokens: Range;
  readonly costNanoUsd: Range;
}

/** A text of full length, in tokens; one that works on a long message may be as much longer. */
const TEXT: Range = { low: 50, high: 1_200 };
/** A judgement, a plan, a review: JSON of a few sentences. */
const FORM: Range = { low: 20, high: 700 };
const SUGGESTIONS: Range = { low: 10, high: 150 };
/** What a model that thinks may write before its text, unseen and paid for. */
const THOUGHTS_TOKENS = 3_000;
/** Our own words in a prompt. */
const WORDS: Range = { low: 0, high: 350 };

const REPLY: Readonly<Record<CallPurpose, Range>> = {
  cast: FORM,
  plan: FORM,
  draft: TEXT,
  revise: TEXT,
  review: FORM,
  attack: FORM,
  analyse: FORM,
  answer: TEXT,
  follow_ups: SUGGESTIONS,
  judge: FORM,
};

const NOTHING: Range = { low: 0, high: 0 };

/** Projects the calls of one request, at the prices of `atMs`. An unpriced model is taken to cost nothing. */
export function projectionOf(request: EnsembleRequest, atMs: number): (calls: readonly PlannedCall[]) => Projection {
  const { message, images, history, panel, systemPrompt = '', sharedPrompt = '' } = request;
  const turn = { role: 'user' as const, text: message, ...(images && { images }) };
  const conversation = estimatePromptTokens({ turns: [...history, turn] });
  const asLong = estimateTokens(message);

  const form = finalFormWords(request.answerForm).reduce((sum, words) => sum + estimateTokens(words), 0);

  const callProjection = ({ seat, purpose, reads }: PlannedCall): Projection => {
    const { model, reasoningEffort, systemPrompt: own = '' } = seat;
    const shown = seat.id === panel.arbiter.id ? systemPrompt : sharedPrompt;
    const instructions = estimateTokens(shown + own) + form;
    const thinks = thinksFirst(model) || reasoningEffort !== undefined;
    const longest = REPLY[purpose] === TEXT ? REPLY[purpose].high + asLong : REPLY[purpose].high;
    const completionTokens = {
      low: REPLY[purpose].low,
      high: longest + (thinks ? THOUGHTS_TOKENS : 0),
    };
    const promptTokens = {
      low: conversation + WORDS.low + reads * TEXT.low,
      high: conversation + instructions + WORDS.high + reads * (TEXT.high + asLong),
    };
    const cost = (end: keyof Range): number => costOf(model, promptTokens[end], completionTokens[end]);
    return { promptTokens, completionTokens, costNanoUsd: { low: cost('low'), high: cost('high') } };
  };
  const costOf = (model: ModelRow, promptTokens: number, completionTokens: number): number =>
    priceCall(model, { promptTokens, completionTokens, cachedPromptTokens: 0, reasoningTokens: 0 }, atMs).costNanoUsd;

  return (calls) => sumOf(calls.map(callProjection));
}

/** What several projections come to together. */
function sumOf(projections: readonly Projection[]): Projection {
  const total = (of: (projection: Projection) => Range): Range =>
    projections.map(of).reduce((sum, { low, high }) => ({ low: sum.low + low, high: sum.high + high }), NOTHING);
  return {
    promptTokens: total(({ promptTokens }) => promptTokens),
    completionTokens: total(({ completionTokens }) => completionTokens),
    costNanoUsd: total(({ costNanoUsd }) => costNanoUsd),
  };
}
