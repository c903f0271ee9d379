import { estimateTokens } from '../models/model';
import type { EvaluationRequest, EvaluationStrategy, Judge } from './evaluation';
import type { Layout } from './layout';
import type { Material } from './material';
import { isOwn, ownCount, recusals } from './recusal';

/** The most judge calls one request may need. */
export const JUDGE_CALLS_MAX = 200;
/** A judge sees at most this many responses in one call, and they fill at most this part of its context. */
const RESPONSES_A_CALL_MAX = 8;
const CONTEXT_PART_MAX = 0.6;
/** What a call holds beside the caller's texts, and what its reply may need. */
const RUBRIC_TOKENS = 1_500;
const REPLY_TOKENS = 550;

/** One call to be made: one judge, the responses it is shown, in that order, by their places in the request. */
export interface JudgeCall {
  /** Unique in the request, e.g. `r1.j2.1`: round, judge, number of the judge's call. */
  readonly callId: string;
  readonly judge: Judge;
  /** Whose labels the call uses; see `Layout`. */
  readonly reader: string;
  readonly responses: readonly number[];
}

/** Who sees what. */
export interface EvaluationPlan {
  /** Who may be called at all; `speed_pair` needs only the first two of the request. */
  readonly bench: readonly Judge[];
  /** The first round. */
  readonly calls: readonly JudgeCall[];
  /** Calls of all rounds there may be; repairs are not counted. */
  readonly callsMax: number;
  /** For each response, the judges that are to score it. */
  readonly assigned: readonly (readonly Judge[])[];
  /** Responses judged by their own model, for want of any other judge. */
  readonly selfJudged: ReadonlySet<number>;
}

/** One judge going through a list once. */
interface Sitting {
  readonly judge: Judge;
  readonly order: readonly number[];
  /** A second sitting of the same judge. */
  readonly again?: boolean;
}

interface Setup {
  readonly request: EvaluationRequest;
  readonly bench: readonly Judge[];
  readonly layout: Layout;
}

/** Who sees the responses in which order; recusals come off afterwards. */
const SITTINGS: Readonly<Record<EvaluationStrategy, (setup: Setup) => Sitting[]>> = {
  standard: ownShuffles,
  competitive_refinement: ownShuffles,
  round_robin: rotations,
  speed_pair: mirroredPair,
};

/**
 * The number of calls a request needs, second looks of `competitive_refinement` included; repairs are not counted.
 * Takes time for responses plus judges, not for their product, so that an absurd request costs nothing.
 */
export function planSize(request: EvaluationRequest): number {
  const { responses, mode } = request;
  const bench = benchOf(request);
  const own = ownCount(request, bench);
  const perJudge = bench.map((judge) => callsFor(responses.length - own(judge), mode));
  const calls = perJudge.reduce((total, count) => total + count, 0);
  const sittings = sitsTwice(request, bench) ? 2 : 1;
  // A judge without a call still takes a seat.
  return Math.max(calls * sittings * roundsOf(request, bench), bench.length);
}

/** Plans the first round. Texts that fill a judge's context make it more calls than `planSize` says. */
export function planEvaluation(request: EvaluationRequest, layout: Layout, material: Material): EvaluationPlan {
  const bench = benchOf(request);
  const recused = recusals(request, bench);
  const assigned = request.responses.map((_, response) => bench.filter((judge) => !recused(judge, response)));
  const selfJudged = request.responses.flatMap((_, response) =>
    request.strategy === 'round_robin' && bench.every((judge) => isOwn(request, judge, request.responses[response]))
      ? [response]
      : [],
  );
  const serials = new Map<Judge, number>();
  const calls = SITTINGS[request.strategy]({ request, bench, layout }).flatMap(({ judge, order, again }) => {
    const list = order.filter((response) => !recused(judge, response));
    return chunked({ request, material, judge }, list).map((responses) => {
      const serial = (serials.get(judge) ?? 0) + 1;
      serials.set(judge, serial);
      const reader = again ? `${judge.id}\nagain` : judge.id;
      return { serial, call: { callId: `r1.j${judge.place + 1}.${serial}`, judge, reader, responses } };
    });
  });
  // All judges begin with their first call: when time runs out, each response has been seen by some.
  const inTurn = calls.sort((a, b) => a.serial - b.serial).map(({ call }) => call);
  const callsMax = inTurn.length * roundsOf(request, bench);
  return { bench, calls: inTurn, callsMax, assigned, selfJudged: new Set(selfJudged) };
}

/** The second round: the same calls, held to the responses that are to be looked at again. */
export function secondLooks(
  plan: EvaluationPlan,
  isWanted: (judge: Judge, response: number) => boolean,
): readonly JudgeCall[] {
  return plan.calls.flatMap((call) => {
    const responses = call.responses.filter((response) => isWanted(call.judge, response));
    return responses.length === 0 ? [] : [{ ...call, callId: call.callId.replace(/^r1/, 'r2'), responses }];
  });
}

function benchOf({ strategy, judges }: EvaluationRequest): readonly Judge[] {
  return strategy === 'speed_pair' ? judges.slice(0, 2) : judges;
}

function roundsOf({ strategy }: EvaluationRequest, bench: readonly Judge[]): number {
  return strategy === 'competitive_refinement' && bench.length > 1 ? 2 : 1;
}

/** A lone judge of a pair reads the list both ways; alone in its call a response has no place to be mirrored. */
function sitsTwice({ strategy, mode }: EvaluationRequest, bench: readonly Judge[]): boolean {
  return strategy === 'speed_pair' && mode === 'standard' && bench.length === 1;
}

function ownShuffles({ request, bench, layout }: Setup): Sitting[] {
  return bench.map((judge) => ({ judge, order: layout.order(judge.id, indexesOf(request)) }));
}

/** One order for all, rotated by each judge's place: over a full turn each response stands in each place once. */
function rotations({ request, bench, layout }: Setup): Sitting[] {
  const shared = layout.order('', indexesOf(request));
  return layout.judgeOrder(bench).map((judge, turn) => {
    const by = turn % shared.length;
    return { judge, order: [...shared.slice(by), ...shared.slice(0, by)] };
  });
}

/** Forwards and backwards, so that a liking for the first place cancels. */
function mirroredPair({ request, bench, layout }: Setup): Sitting[] {
  const forwards = layout.order('', indexesOf(request));
  const sittings = layout.judgeOrder(bench).map((judge, index) => ({
    judge,
    order: index === 0 ? forwards : forwards.toReversed(),
  }));
  if (!sitsTwice(request, bench)) return sittings;
  return sittings.flatMap((once) => [once, { ...once, order: forwards.toReversed(), again: true }]);
}

interface Reader {
  readonly request: EvaluationRequest;
  readonly material: Material;
  readonly judge: Judge;
}

/** Cuts a judge's list into calls of about equal length that fit its context; a text never is cut. */
function chunked({ request, material, judge }: Reader, list: readonly number[]): number[][] {
  const context = judge.model.contextTokens ?? Number.POSITIVE_INFINITY;
  const base = RUBRIC_TOKENS + estimateTokens(material.prompt);
  const callsMin = callsFor(list.length, request.mode);
  const lengthMax = Math.ceil(list.length / callsMin);
  const chunks: number[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const response of list) {
    const tokens = estimateTokens(material.responses[response] ?? '');
    if (base + tokens > context - REPLY_TOKENS) continue;
    const open = chunks.at(-1);
    if (open && open.length < lengthMax && used + tokens <= context * CONTEXT_PART_MAX) {
      open.push(response);
      used += tokens;
    } else {
      chunks.push([response]);
      used = base + tokens;
    }
  }
  return chunks;
}

function callsFor(responses: number, mode: EvaluationRequest['mode']): number {
  return mode === 'pointwise' ? responses : Math.ceil(responses / RESPONSES_A_CALL_MAX);
}

function indexesOf({ responses }: EvaluationRequest): number[] {
  return responses.map((_, index) => index);
}
