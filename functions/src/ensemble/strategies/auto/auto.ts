import { Fault } from '../../../errors';
import type { CallResult } from '../../../models/gateway/gateway-call';
import { cutNote, faultWords } from '../../../models/model-fault';
import { candidatesOf, withFollowUps } from '../../arbiter/ending';
import { explanationText } from '../../arbiter/explanation';
import { arbiterPrompt } from '../../arbiter/prompts';
import { patienceMs } from '../../deadline/answer-times';
import { callsOf } from '../../estimate/calls';
import { stand } from '../../panel/contributors';
import { hasSettings, type Panel, type Seat } from '../../panel/panel';
import { type Ending, noteDegraded, type Opening, type Run, type Strategy } from '../../run';
import { callModel } from '../../waves/call-model';
import { type Question, question } from '../../waves/question';
import { finalWords } from '../../waves/task-words';
import { OpeningLine, withoutOpening } from './opening-line';

/**
 * A strategy on demand: one draft by the arbiter's model, with the caller's instructions and sampling, which is the answer
 * if it says that no panel is needed; else the strategy is played, and where its first texts are plain answers the draft
 * is one of them. Calls: 1; else those of the strategy, and 1 more where the draft is of no use to it. Waves: 1 more.
 */
export function onDemand(strategy: Strategy): Strategy {
  return {
    calls: (request) => {
      const { waves, ...rest } = strategy.calls(request);
      const first = { round: 0, calls: callsOf([drafterOf(request.panel)], 'draft', 0) };
      return { ...rest, waves: [first, ...waves] };
    },
    within: strategy,
    seats: (panel) => {
      const seats = strategy.seats?.(panel) ?? panel.participants;
      const drafter = drafterOf(panel);
      return drafter === panel.arbiter || seats.includes(drafter) ? seats : [...seats, drafter];
    },
    firstWave: (opening) => [firstDraftQuestion(opening)],
    play: (run, firstWave) => playOnDemand(run, strategy, firstWave),
  };
}

/** The arbiter's model as a participant where it is one, so that its draft counts as that participant's. */
function drafterOf({ arbiter, participants }: Panel): Seat {
  return participants.find((seat) => seat.model.id === arbiter.model.id && !hasSettings(seat)) ?? arbiter;
}

function firstDraftQuestion(opening: Opening): Question {
  const seat = drafterOf(opening.request.panel);
  const asked = { callId: 'first_draft', seat, purpose: 'draft', round: 1 } as const;
  return question(asked, arbiterPrompt(opening, firstDraftTask(opening.request.systemPrompt !== undefined)));
}

async function playOnDemand(
  run: Run,
  strategy: Strategy,
  [asked = firstDraftQuestion(run)]: readonly Question[],
): Promise<Ending> {
  const { seat } = asked;
  run.sink.status(`${seat.label} is looking at the message`);
  const line = new OpeningLine();
  const result = await firstDraft(run, asked, line);
  if (line.begun) return endAlone(run, seat, result);
  if (!result.ok) noteDegraded(run, `${seat.label} gave no first draft (${faultWords(result)})`);
  const text = result.ok ? withoutOpening(result.text).text : '';
  const isCut = result.ok && result.finishReason !== 'stop';
  const headStart = text === '' ? {} : { headStart: { seat, text, isCut } };
  return strategy.play({ ...run, ...headStart }, strategy.firstWave(run));
}

/** The draft; what of it is an answer that stands alone goes to the reader as it comes. */
async function firstDraft(run: Run, asked: Question, line: OpeningLine): Promise<CallResult> {
  const { sink, deadline, request, paces } = run;
  const show = (piece: string): Promise<void> | undefined => {
    const shown = line.read(piece);
    return shown === '' ? undefined : sink.text(shown);
  };
  const result = await callModel(run, asked, {
    budgetMs: deadline.nextWaveMs({ needed: true, patienceMs: patienceMs(paces, asked.seat.model) }),
    sampling: request.sampling,
    ...(sink.live && { onText: show }),
  });
  // A reply in one piece has no reader to wait for.
  if (result.ok && !sink.live) void show(result.text);
  return result;
}

async function endAlone(run: Run, seat: Seat, result: CallResult): Promise<Ending> {
  if (!result.ok) {
    const text = `The answer was cut off: ${seat.model.id} (${faultWords(result)})`;
    throw new Fault('models_failed', text, { cause: result.cause });
  }
  const text = withoutOpening(result.text).text;
  const cut = cutNote(seat.label, 'the answer', result.finishReason);
  if (cut !== undefined) noteDegraded(run, cut);
  const candidates = stand(run, [{ seat, text }]);
  return withFollowUps(run, candidates[0], async () => {
    const lines = [`${seat.label} answered alone: it saw no need for a panel.`];
    const explanation = await explanationText(run, [{ lines }]);
    return { ...candidatesOf(run, candidates, text), ...(explanation !== '' && { explanation }), author: seat.id };
  });
}

/** One draft that says first whether it is enough; `hasSystem`: its author follows a system message. */
function firstDraftTask(hasSystem: boolean): string[] {
  return [
    "First decide whether several models should answer the user's message. They need not when one good reply is plainly enough: a greeting or thanks, a title, tags or another small chore, rewording or translating a short text, a plain fact that you are sure of. They should when the answer can be disputed, needs reasoning that may go wrong, or would gain from a second opinion. If in doubt, they should.",
    'Begin your reply with one line for the service: "PANEL: no" if your reply is enough, otherwise "PANEL: yes". It is removed before anybody reads the rest, so mention it nowhere else. Below that line, reply to the user in full either way.',
    finalWords(hasSystem),
  ];
}
