import { Fault } from '../../../errors';
import { thinksFirst } from '../../../models/catalog';
import { faultWords } from '../../../models/model-fault';
import { textsAgree } from '../../agreement/answers-agree';
import { candidatesOf, withFollowUps } from '../../arbiter/ending';
import { explanationText } from '../../arbiter/explanation';
import { arbiterPrompt } from '../../arbiter/prompts';
import { callsOf, type StrategyCalls } from '../../estimate/calls';
import { wholeTask } from '../../form/form-words';
import { stand } from '../../panel/contributors';
import { hasSettings, type Panel, type Seat } from '../../panel/panel';
import { type Ending, type EnsembleRequest, noteDegraded, type Opening, type Run, type Strategy } from '../../run';
import { draftQuestion } from '../../waves/drafts';
import { type Question, question } from '../../waves/question';
import { finalWords } from '../../waves/task-words';
import { FIRST, type FirstDrafts, firstDrafts } from './first-drafts';
import { type Settled, settled } from './settle';

/**
 * A strategy on demand: the arbiter's model, with the caller's instructions and sampling, and one participant draft side by
 * side. The arbiter's draft is the answer where that is enough (`settle`); else the strategy is played, and where its first
 * texts are plain answers the drafts are among them. Calls: 2; else those of the strategy, and at most 2 more. Waves: 1; else at most 1 more.
 */
export function onDemand(strategy: Strategy): Strategy {
  return {
    calls: (request) => callsOnDemand(strategy, request),
    within: strategy,
    seats: (request) => {
      const seats = strategy.seats?.(request) ?? request.panel.participants;
      return [
        ...new Set([...seats, ...draftersOf(strategy, request).filter((seat) => seat !== request.panel.arbiter)]),
      ];
    },
    firstWave: (opening) => firstQuestions(strategy, opening),
    play: (run, firstWave) => playOnDemand(run, strategy, firstWave),
  };
}

/** The drafts, then the strategy, which does not ask for those that are in hand. */
function callsOnDemand(strategy: Strategy, request: EnsembleRequest): StrategyCalls {
  const { waves, ...rest } = strategy.calls(request);
  const drafters = draftersOf(strategy, request);
  const first = { round: 0, calls: callsOf(drafters, 'draft', 0) };
  if (!strategy.plainDrafts) return { ...rest, waves: [first, ...waves] };
  const [{ round, calls } = first, ...later] = waves;
  const open = calls.filter(({ seat }) => !drafters.includes(seat));
  return { ...rest, waves: [first, ...(open.length > 0 ? [{ round, calls: open }] : []), ...later] };
}

/** The arbiter's model as a participant where it is one, so that its draft counts as that participant's. */
function drafterOf({ arbiter, participants }: Panel): Seat {
  return participants.find((seat) => seat.model.id === arbiter.model.id && !hasSettings(seat)) ?? arbiter;
}

/**
 * The arbiter's model, and beside it the first participant of another one, as errors of one model repeat; one that writes
 * at once rather than one that thinks, and one whose draft the strategy has a use for.
 */
function draftersOf(strategy: Strategy, request: EnsembleRequest): Seat[] {
  const { panel } = request;
  const first = drafterOf(panel);
  const useful = strategy.plainDrafts ? strategy.calls(request).waves[0]?.calls.map(({ seat }) => seat) : undefined;
  const rank = (seat: Seat): number =>
    4 * Number(seat.model.id === first.model.id) +
    2 * Number(thinksFirst(seat.model)) +
    Number(useful?.includes(seat) === false);
  const others = panel.participants.filter((seat) => seat !== first).toSorted((a, b) => rank(a) - rank(b));
  return [first, ...others.slice(0, 1)];
}

function firstQuestions(strategy: Strategy, opening: Opening): Question[] {
  const { request } = opening;
  const [first = request.panel.arbiter, ...others] = draftersOf(strategy, request);
  const task = wholeTask(request, 'draft', firstDraftTask(request.systemPrompt !== undefined));
  return [
    question({ callId: FIRST, seat: first, purpose: 'draft', round: 1 }, arbiterPrompt(opening, task)),
    ...others.map((seat) => ({ ...draftQuestion(opening, seat), callId: 'second_draft' })),
  ];
}

async function playOnDemand(run: Run, strategy: Strategy, firstWave: readonly Question[]): Promise<Ending> {
  const asked = firstWave.length > 0 ? firstWave : firstQuestions(strategy, run);
  const drafted = await firstDrafts(run, asked);
  const { first, isRead, drafts } = drafted;
  if (isRead && !first) throw cutOff(run, asked);
  const answer = await settled(run, drafted);
  if (first && answer) return end(run, drafted, answer);
  return strategy.play({ ...run, headStart: drafts }, strategy.firstWave(run));
}

/** Fault of a draft that a reader has some of. */
function cutOff({ failures }: Run, [asked]: readonly Question[]): Fault {
  const failure = failures.findLast(({ seat }) => seat === asked?.seat);
  return new Fault(
    'models_failed',
    `The answer was cut off: ${asked?.seat.model.id} (${failure ? faultWords(failure) : 'stopped'})`,
  );
}

async function end(run: Run, { isRead, drafts }: FirstDrafts, { text, why, checks }: Settled): Promise<Ending> {
  const whole = drafts.filter((each) => each.text !== '');
  const [own] = stand(run, whole);
  if (own?.isCut) noteDegraded(run, `${own.seat.label}: the answer is cut off`);
  return withFollowUps(run, own, async () => {
    if (!isRead) await run.sink.text(text);
    const explanation = await explanationText(run, [{ lines: [why] }]);
    return {
      ...candidatesOf(run, whole, text),
      ...(explanation !== '' && { explanation }),
      ...(checks && { checks }),
      agreement: textsAgree(whole, run.request.answerForm),
      ...(own && { author: own.seat.id }),
    };
  });
}

/** One draft that says first whether it is enough; `hasSystem`: its author follows a system message. */
function firstDraftTask(hasSystem: boolean): string[] {
  return [
    "First decide whether several models should answer the user's message. They need not when one good reply is plainly enough: a greeting or thanks, a title, tags, a summary of the conversation or another small chore, rewording or translating a short text, a plain fact that you are sure of. They should when the answer can be disputed, needs reasoning that may go wrong, or would gain from a second opinion. If in doubt, they should.",
    'Begin your reply with one line for the service: "PANEL: no" if your reply is enough, otherwise "PANEL: yes". It is removed before anybody reads the rest, so mention it nowhere else. Below that line, reply to the user in full either way.',
    finalWords(hasSystem),
  ];
}
