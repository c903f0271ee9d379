import { Fault, type Refusal, refuse } from '../errors';
import { FairSlots } from '../lib/fair-slots';
import { authorMask } from '../prompting/author-mask';
import { jsonText } from '../prompting/json-text';
import { heldBytes, type Opened } from '../runs/run-context';
import { BlindLabels } from './blind-labels';
import { conclude, consensuses, type Evaluated, type Opinions, opinionOf, opinionsIn, revise } from './conclude';
import {
  EVALUATION_STRATEGIES,
  EVALUATION_STRATEGY_NAMES,
  type EvaluationRequest,
  type ObserveJudges,
} from './evaluation';
import { announcedCall, askAll, type EvaluationRun, TIME_LIMIT_MS, timeLeftMs } from './judge-call';
import type { Opinion } from './judge-prompts';
import { callsNeeded, JUDGE_CALLS_MAX, type JudgeCall, scheduleJudges } from './judge-schedule';
import { isContested } from './scoring';

/** Judge calls of one request at once, and those of them at one provider. */
const CALLS_AT_ONCE_MAX = 16;
const CALLS_A_PROVIDER_MAX = 8;
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
  const needed = callsNeeded(request);
  if (needed > JUDGE_CALLS_MAX) return tooManyCalls(needed);
  const { message, responses } = request;
  const material = { message: jsonText(message), responses: responses.map(({ response }) => jsonText(response)) };
  const setup = { request, requestId, labels: new BlindLabels(labelKey, request), material };
  const schedule = scheduleJudges(setup);
  if (schedule.callsMax > JUDGE_CALLS_MAX) return tooManyCalls(schedule.callsMax);
  const first = schedule.calls.slice(0, CALLS_AT_ONCE_MAX);
  const characters = responses.reduce((sum, { response }) => sum + response.length, message.length);
  return {
    firstWave: first.map((call) => announcedCall(setup, call)),
    about: {
      model: request.judges.map(({ id }) => id).join(', '),
      strategy: EVALUATION_STRATEGY_NAMES.find((name) => EVALUATION_STRATEGIES[name] === request.strategy) ?? '',
    },
    heldBytes: heldBytes(first.length, characters),
    modelIds: new Set(request.judges.map(({ model }) => model.id)),
    timeLimitMs: TIME_LIMIT_MS,
    play: async (context) => {
      const slots = new FairSlots(CALLS_AT_ONCE_MAX, { ownMax: CALLS_A_PROVIDER_MAX });
      const run = { ...context, ...setup, schedule, slots, observe };
      const opinions = await askJudges(run);
      // Judges that were cut off are not missing: the scores would be of those that happened to be first.
      if (run.signal.reason instanceof Fault) throw run.signal.reason;
      return conclude(run, opinions);
    },
  };
}

function tooManyCalls(calls: number): Refusal {
  const text = `the evaluation needs up to ${calls} judge calls, at most ${JUDGE_CALLS_MAX} are allowed`;
  return refuse('invalid_request', `Invalid request: ${text}`);
}

async function askJudges(run: EvaluationRun): Promise<Opinions> {
  const opinions = opinionsIn(await askAll(run, run.schedule.calls));
  const isLate = run.signal.aborted || timeLeftMs(run) < SECOND_ROUND_TIME_MIN_MS;
  if (run.request.strategy.secondLooks && !isLate) revise(opinions, await askAll(run, secondLooks(run, opinions)));
  return opinions;
}

/** The second round: the same calls, held to contested responses that the judge has scores for. */
function secondLooks(run: EvaluationRun, opinions: Opinions): JudgeCall[] {
  const { request, schedule, labels } = run;
  const results = consensuses(run, opinions);
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
        .flatMap((each) => opinionOf(opinions, each, response) ?? [])
        .map((opinion) => ({ ...opinion, reasoning: mask(opinion.reasoning) }));
    const responses = call.responses.filter(
      (index) => isContested(results[index]) && opinionOf(opinions, judge, index),
    );
    const firstOpinions = new Map(responses.map((index) => [index, masked(index)]));
    const callId = call.callId.replace(/^r1/, 'r2');
    return responses.length === 0 ? [] : [{ ...call, callId, round: 2, responses, firstOpinions }];
  });
}
