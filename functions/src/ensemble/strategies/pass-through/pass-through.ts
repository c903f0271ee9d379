import { faultWords, type ModelFaultKind, TOO_LONG } from '../../../models/model-fault';
import { MODELS_LISTED } from '../../../models/model-policy';
import { isForced } from '../../../models/tools';
import { candidatesOf, withFollowUps } from '../../arbiter/ending';
import { arbiterPrompt } from '../../arbiter/prompts';
import { askForAnswer } from '../../arbiter/write-answer';
import { finalFormWords } from '../../form/form-words';
import { hasSettings, type Panel, type Seat } from '../../panel/panel';
import type { Ending, EnsembleRequest, Opening, Run, Strategy } from '../../run';
import { limitFault, runFault } from '../../waves/call-model';
import { type Question, question } from '../../waves/question';
import { continuedBy } from '../../waves/repeated-prefix';

/**
 * One model, one streamed call with the caller's own instructions and sampling: what a plain SDK user expects.
 * A second look at its own answer has negative evidence (arXiv 2310.01798), so there is none. Calls: 1.
 */
export const passThrough: Strategy = {
  calls: () => ({ waves: [], material: 0 }),
  firstWave: (opening) => [directQuestion(opening)],
  play: answerDirectly,
};

/** Hints for who asked. */
const REMEDY: Partial<Readonly<Record<ModelFaultKind, string>>> = {
  not_found: MODELS_LISTED,
  context_length: TOO_LONG,
};

/** True where one model alone does as well as the strategy asked for. */
export function answersAlone({ strategy, errand, panel, rounds, includeExplanation }: EnsembleRequest): boolean {
  const isDirect = strategy.direct === true && rounds === 1 && isOneModel(panel);
  return (isDirect || errand === true) && !includeExplanation;
}

/** True where the arbiter is the one participant, and nothing is special about it there. */
export function isOneModel(panel: Panel): boolean {
  return onlySeat(panel) !== undefined;
}

/** The one participant, where it is the arbiter and nothing else. */
function onlySeat({ arbiter, participants: [only, ...others] }: Panel): Seat | undefined {
  return others.length === 0 && only?.model.id === arbiter.model.id && !hasSettings(only) ? only : undefined;
}

function directQuestion(opening: Opening): Question {
  const { panel, tools } = opening.request;
  const seat = onlySeat(panel) ?? panel.arbiter;
  const asked = question(
    { callId: 'answer', seat, purpose: 'answer', round: 1, plain: true },
    {
      ...arbiterPrompt(opening, finalFormWords(opening.request)),
      ...(tools && { tools }),
    },
  );
  return goesOn(opening.request) ? continuedBy(asked) : asked;
}

/** Replies after which a conversation without tools is taken for one that goes on. */
const REPLIES_MIN = 2;

/** True of a conversation that is likely to come back with more: that of an agent, or one that has done so before. */
function goesOn({ tools, history, errand }: EnsembleRequest): boolean {
  if (errand) return false;
  const isFirst = history.every(({ toolCalls }) => !toolCalls);
  // A call that is asked for by its name is what the request is for: nothing follows.
  if (!isFirst || (tools && !isForced(tools.choice))) return true;
  return history.filter(({ role }) => role === 'assistant').length >= REPLIES_MIN;
}

async function answerDirectly(run: Run, [asked = directQuestion(run)]: readonly Question[]): Promise<Ending> {
  const { seat } = asked;
  run.sink.status(`${seat.label} is answering`);
  return withFollowUps(run, undefined, async () => {
    const result = await askForAnswer(run, asked, { rung: 0, rungs: 1 });
    if (!result.ok) {
      const what = result.streamed ? 'The answer was cut off' : 'The model failed';
      const text = `${what}: ${seat.model.id} (${faultWords(result)})`;
      const remedy = REMEDY[result.fault];
      const publicText = remedy === undefined ? text : `${text}; ${remedy}`;
      throw limitFault(publicText, result) ?? runFault(publicText, [result], result.cause);
    }
    const { text, toolCalls, reasoning, checks } = result;
    run.observer?.standing(seat.id, { text });
    return {
      ...candidatesOf(run, [{ seat, text }], text),
      ...{ toolCalls, reasoning, checks, author: seat.id },
    };
  });
}
