import { Fault, type Refusal, refuse } from '../errors';
import { authorMask } from '../prompting/author-mask';
import { jsonText } from '../prompting/json-text';
import { heldBytes, type Opened } from '../runs/run-context';
import { BlindLabels } from './blind-labels';
import { conclude, type Evaluated, Opinions } from './conclude';
import {
  EVALUATION_STRATEGIES,
  EVALUATION_STRATEGY_NAMES,
  type EvaluationRequest,
  type ObserveJudges,
} from './evaluation';
import {
  askAll,
  CALLS_AT_ONCE_MAX,
  type EvaluationRun,
  firstWave,
  JudgeSlots,
  TIME_LIMIT_MS,
  timeLeftMs,
} from './judge-call';
import type { Opinion } from './judge-prompts';
import { callsNeeded, JUDGE_CALLS_MAX, type JudgeCall, scheduleJudges } from './judge-schedule';
import { aggregate, isContested } from './scoring';

/** A second round with less time than this left is not begun. */
const SECOND_ROUND_TIME_MIN_MS = 120_000;

interface EvaluationOptions {
  /** A secret of the server's. */
  readonly labelKey: Uint8Array;
  /** Tells repeats of a request apart. */
  readonly requestId: string;
  /** Told judge by judge how it goes. */
  readonly observe?: ObserveJudges;
}

/** Prepares an evaluation, calling no model; refuses one that may need too many calls. */
export function openEvaluation(
  request: EvaluationRequest,
  { labelKey, requestId, observe }: EvaluationOptions,
): Opened<readonly Evaluated[]> | Refusal {
  const calls = callsNeeded(request);
  if (calls > JUDGE_CALLS_MAX) return tooManyCalls(calls);
  const { message, responses } = request;
  const material = { message: jsonText(message), responses: responses.map(({ response }) => jsonText(response)) };
  const setup = { request, requestId, labels: new BlindLabels(labelKey, request), material };
  const schedule = scheduleJudges(setup);
  if (schedule.callsMax > JUDGE_CALLS_MAX) return tooManyCalls(schedule.callsMax);
  return {
    firstWave: firstWave(setup, schedule),
    about: {
      model: request.judges.map(({ id }) => id).join(', '),
      strategy: EVALUATION_STRATEGY_NAMES.find((name) => EVALUATION_STRATEGIES[name] === request.strategy) ?? '',
    },
    heldBytes: heldBytes(Math.min(schedule.calls.length, CALLS_AT_ONCE_MAX), charactersOf(request)),
    modelIds: new Set(request.judges.map(({ model }) => model.id)),
    timeLimitMs: TIME_LIMIT_MS,
    play: async (context) => {
      const run = { ...context, ...setup, schedule, slots: new JudgeSlots(), ...(observe && { observe }) };
      const opinions = await askJudges(run);
      // Judges that were cut off are not missing: the scores would be of those that happened to be first.
      if (run.signal.reason instanceof Fault) throw run.signal.reason;
      return conclude(run, opinions);
    },
  };
}

/** Characters shown to a judge at most, unless it has to look at its responses in several calls. */
function charactersOf({ message, responses }: EvaluationRequest): number {
  return responses.reduce((sum, { response }) => sum + response.length, message.length);
}

function tooManyCalls(calls: number): Refusal {
  const text = `the evaluation needs up to ${calls} judge calls, at most ${JUDGE_CALLS_MAX} are allowed`;
  return refuse('invalid_request', `Invalid request: ${text}`);
}

async function askJudges(run: EvaluationRun): Promise<Opinions> {
  const opinions = new Opinions();
  for (const outcome of await askAll(run, run.schedule.calls)) opinions.add(outcome);
  const isLate = run.signal.aborted || timeLeftMs(run) < SECOND_ROUND_TIME_MIN_MS;
  if (isLate || !run.request.strategy.secondLooks) return opinions;
  for (const outcome of await askAll(run, secondLooks(run, opinions))) opinions.revise(outcome);
  return opinions;
}

/** The second round: the same calls, held to contested responses that the judge has scores for. */
function secondLooks(run: EvaluationRun, opinions: Opinions): JudgeCall[] {
  const { request, schedule, labels } = run;
  const results = aggregate(opinions.rows(run), request.weighted);
  const judgeNames = request.judges.flatMap(({ id, name, model }) => [id, name, model.name]);
  const authorNames = request.responses.flatMap(({ modelId, modelName }) => [modelId, modelName]);
  const mask = authorMask([...judgeNames, ...authorNames], [request.message]);
  // Peers come without names, in an order that tells nothing.
  const judges = labels.judgeOrder(schedule.judges);
  return schedule.calls.flatMap((call): JudgeCall[] => {
    const { judge } = call;
    const inTurn = [judge, ...judges.filter((peer) => peer !== judge)];
    const masked = (response: number): Opinion[] =>
      inTurn
        .flatMap((each) => opinions.opinion(each, response) ?? [])
        .map((opinion) => ({ ...opinion, reasoning: mask(opinion.reasoning) }));
    const responses = call.responses.filter((index) => isContested(results[index]) && opinions.opinion(judge, index));
    const firstOpinions = new Map(responses.map((index) => [index, masked(index)]));
    const callId = call.callId.replace(/^r1/, 'r2');
    return responses.length === 0 ? [] : [{ ...call, callId, round: 2, responses, firstOpinions }];
  });
}
