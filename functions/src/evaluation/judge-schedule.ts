import { estimateTokens } from '../models/estimate-tokens';
import type { BlindLabels } from './blind-labels';
import type { EvaluationRequest, Judge } from './evaluation';
import type { Opinion } from './judge-prompts';

/** The most judge calls one request may need. */
export const JUDGE_CALLS_MAX = 200;
const RESPONSES_A_CALL_MAX = 8;
/** The part of a judge's context that a call may fill, what it holds beside the caller's texts, and what is replied. */
const CONTEXT_PART_MAX = 0.6;
const RUBRIC_TOKENS = 1_500;
const REPLY_TOKENS = 550;

export interface EvaluationSetup {
  readonly request: EvaluationRequest;
  /** Tells repeats of a request apart. */
  readonly requestId: string;
  readonly labels: BlindLabels;
  /** The caller's texts as judges are shown them, each as `jsonText`; responses by index. */
  readonly material: { readonly message: string; readonly responses: readonly string[] };
}

/** Judges that are asked, and the calls of the first round. Responses are given by index. */
export interface JudgeSchedule {
  readonly judges: readonly Judge[];
  readonly calls: readonly JudgeCall[];
  /** Calls of all rounds there may be; repairs are not counted. */
  readonly callsMax: number;
  /** For each response, the judges that are to score it. */
  readonly assigned: readonly (readonly Judge[])[];
  /** Responses judged by their own model, for want of any other judge. */
  readonly selfJudged: ReadonlySet<number>;
}

/** One call to be made, which shows responses in that order. */
export interface JudgeCall {
  readonly judge: Judge;
  /** Reader whose labels it uses; see `BlindLabels`. */
  readonly reader: string;
  readonly responses: readonly number[];
  /** Unique in the request, e.g. `r1.j2.1`: round, judge, number of the judge's call. */
  readonly callId: string;
  readonly round: 1 | 2;
  /** In the second round, what was said of each response in the first; see `ShownResponse`. */
  readonly firstOpinions?: ReadonlyMap<number, readonly Opinion[]>;
}

/** The number of calls a request needs, second looks included; repairs are not counted. */
export function callsNeeded(request: EvaluationRequest): number {
  const { responses, mode } = request;
  const { judges, passes, rounds } = extentOf(request);
  const { recused } = recusals(request, judges);
  const calls = judges.reduce((sum, judge) => sum + callsFor(responses.length - recused(judge).size, mode), 0);
  // A judge without a call still counts.
  return Math.max(calls * passes * rounds, judges.length);
}

/** Schedules the first round. Texts that fill a judge's context make it more calls than `callsNeeded` says. */
export function scheduleJudges(setup: EvaluationSetup): JudgeSchedule {
  const { request, labels } = setup;
  const { judges, rounds } = extentOf(request);
  const { recused, selfJudged } = recusals(request, judges);
  const inTurn = request.strategy.turned ? labels.judgeOrder(judges) : judges;
  const numbered = inTurn.flatMap((judge, turn) => {
    const parts = readingsOf(setup, judge, turn).flatMap(({ reader, order }) => {
      const responses = order.filter((response) => !recused(judge).has(response));
      return split({ judge, responses }, setup).map((part) => ({ judge, reader, responses: part }));
    });
    return parts.map((part, at) => {
      const call: JudgeCall = { ...part, callId: `r1.j${judge.index + 1}.${at + 1}`, round: 1 };
      return { at, call };
    });
  });
  // All judges begin with their first call: when time runs out, each response has been seen by some.
  const calls = numbered.sort((a, b) => a.at - b.at).map(({ call }) => call);
  const assigned = request.responses.map((_, response) => judges.filter((judge) => !recused(judge).has(response)));
  return { judges, calls, callsMax: calls.length * rounds, assigned, selfJudged };
}

/** Judges that are asked, the times each reads the list, and the rounds. */
function extentOf({ strategy, mode, judges: all }: EvaluationRequest) {
  const judges = strategy.pair ? all.slice(0, 2) : all;
  const isLone = judges.length === 1;
  // A response that is alone in its call has no place to be mirrored: it is read once.
  const passes = strategy.pair && mode === 'standard' && isLone ? 2 : 1;
  return { judges, passes, rounds: strategy.secondLooks && !isLone ? 2 : 1 };
}

/** The responses a judge must not see: those of its own model, whatever of its names is used. */
function recusals({ strategy, responses, canonicalId }: EvaluationRequest, judges: readonly Judge[]) {
  const none: ReadonlySet<number> = new Set();
  if (!strategy.recuses) return { recused: () => none, selfJudged: none };
  const byModel = Map.groupBy(responses.keys(), (response) => canonicalId(responses[response]?.modelId ?? ''));
  const own = new Map([...byModel].map(([model, indexes]) => [model, new Set(indexes)]));
  const [model = '', ...others] = new Set(judges.map(({ id }) => canonicalId(id)));
  if (others.length === 0) return { recused: () => none, selfJudged: own.get(model) ?? none };
  return { recused: ({ id }: Judge) => own.get(canonicalId(id)) ?? none, selfJudged: none };
}

/** The orders in which the judge whose turn it is reads the list: one, or for a lone one of a pair two. */
function readingsOf({ request, requestId, labels }: EvaluationSetup, { id }: Judge, turn: number) {
  const { judges, passes } = extentOf(request);
  const { turned } = request.strategy;
  const all = [...request.responses.keys()];
  // A lone judge has nobody to even its liking for a place out: it reads in another order each time it is asked.
  const repeat = request.mode === 'standard' && judges.length === 1 && passes === 1 ? `\n${requestId}` : '';
  return Array.from({ length: passes }, (_, pass) => {
    const reader = pass === 0 ? id + repeat : `${id}\nagain`;
    return { reader, order: turned ? turned(labels.order(repeat, all), turn + pass) : labels.order(reader, all) };
  });
}

/** Cuts a judge's list into calls of about equal length that fit its context; a text never is cut. */
function split(
  { judge, responses }: Pick<JudgeCall, 'judge' | 'responses'>,
  { request, material }: EvaluationSetup,
): number[][] {
  const context = judge.model.contextTokens ?? Number.POSITIVE_INFINITY;
  const base = RUBRIC_TOKENS + estimateTokens(material.message);
  const lengthMax = Math.ceil(responses.length / callsFor(responses.length, request.mode));
  const parts: number[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const response of responses) {
    const tokens = estimateTokens(material.responses[response] ?? '');
    if (base + tokens > context - REPLY_TOKENS) continue;
    const open = parts.at(-1);
    if (open && open.length < lengthMax && used + tokens <= context * CONTEXT_PART_MAX) {
      open.push(response);
      used += tokens;
    } else {
      parts.push([response]);
      used = base + tokens;
    }
  }
  return parts;
}

function callsFor(responses: number, mode: EvaluationRequest['mode']): number {
  return mode === 'pointwise' ? responses : Math.ceil(responses / RESPONSES_A_CALL_MAX);
}
