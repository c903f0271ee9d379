import type { Fault } from '../../errors';
import { faultWords } from '../../models/model-fault';
import type { PromptBlock } from '../../prompting/prompt-draft';
import { wholeTask } from '../form/form-words';
import type { Contributor } from '../panel/contributors';
import type { Seat } from '../panel/panel';
import type { HeadStart, Opening, Run } from '../run';
import { askAll, type WaveOptions } from './ask-all';
import { runFault } from './call-model';
import { type Question, question } from './question';
import { repeatedIn } from './repeated-prefix';

/** A first text: the conversation and a task; without a task the participant simply answers. */
export function draftQuestion(opening: Opening, seat: Seat, task: readonly PromptBlock[] = []): Question {
  const { conversation, request } = opening;
  const whole = wholeTask(request, 'draft', task);
  const asked = { callId: `r1.${seat.id}`, seat, purpose: 'draft', round: 1 } as const;
  const own = task.length === 0 && ({ ownAnswer: true } as const);
  return question({ ...asked, ...own }, { conversation, task: whole });
}

/** Thrown where the caller's caps leave no text to make an answer from: the arbiter is to answer alone. */
export class NothingPaid extends Error {}

interface DraftOptions extends WaveOptions {
  /** Team that answers, where that is not everybody. */
  readonly team?: string;
}

/** Says that a first round begins and lets its participants draft; returns those that did. */
export async function draft(
  run: Run,
  questions: readonly Question[],
  { team, ...wave }: DraftOptions = {},
): Promise<Contributor[]> {
  const { request, sink } = run;
  // One with a task of its own is something else than the plain answer that is there already.
  const given = questions.filter(({ seat, ownAnswer }) => ownAnswer && inHand(run, seat));
  const open = questions.filter((asked) => !given.includes(asked)).map((asked) => repeatedIn(run, asked));
  const drafted = given.flatMap(({ seat }) => whole(inHand(run, seat))).map((each) => ({ ...each, failures: 0 }));
  if (open.length === 0) return drafted;
  const names = open.map(({ seat }) => seat.label).join(', ');
  const step = `Round 1 of ${request.rounds}${team === undefined ? '' : `, ${team}`}`;
  sink.status(`${step}: ${names} ${open.length > 1 ? 'are' : 'is'} answering`);
  const rest = { ...wave, needed: false, patient: false, inHand: drafted.length };
  const replies = await askAll(run, open, drafted.length > 0 ? rest : wave);
  const asked = open.flatMap(({ seat }, index) => {
    const reply = replies[index];
    return reply ? [{ seat, ...reply, failures: 0 }] : [];
  });
  const bySeat = new Map([...drafted, ...asked].map((contributor) => [contributor.seat, contributor]));
  return questions.flatMap(({ seat }) => bySeat.get(seat) ?? []);
}

/** The arbiter's draft where the arbiter is no participant: read with the others, and not asked for again. */
function outsiders(run: Run, questions: readonly Question[]): Contributor[] {
  if (!questions.every(({ ownAnswer }) => ownAnswer)) return [];
  return whole(inHand(run, run.request.panel.arbiter)).map((each) => ({ ...each, failures: Infinity }));
}

function inHand({ headStart = [] }: Run, seat: Seat): HeadStart | undefined {
  return headStart.find((each) => each.seat === seat);
}

function whole(given: HeadStart | undefined): HeadStart[] {
  return given && given.text !== '' ? [given] : [];
}

/** Lets all participants draft; throws `models_failed` when none does, `NothingPaid` when none may. */
export async function draftAll(
  run: Run,
  questions: readonly Question[],
  options: Pick<WaveOptions, 'quorum' | 'answersCount'> = {},
): Promise<Contributor[]> {
  const wave = { needed: true, patient: true, ...options };
  const drafted = questions.length === 0 ? [] : await draft(run, questions, wave);
  const contributors = [...drafted, ...outsiders(run, questions)];
  if (contributors.length > 0) return contributors;
  throw run.budget.refusal === undefined ? nobodyAnswered(run) : new NothingPaid(run.budget.refusal);
}

/** Lets those answer that were not asked yet, when all that were have failed: one good answer is enough to stop waiting. */
export function draftInstead(run: Run, seats: readonly Seat[]): Promise<Contributor[]> {
  const questions = seats.map((seat) => ({ ...draftQuestion(run, seat), callId: `instead.${seat.id}` }));
  return draftAll(run, questions, { quorum: 1 });
}

/** Fault of a run without a delivered text: who failed, and how, without any upstream words. */
function nobodyAnswered(run: Run): Fault {
  const { participants, arbiter } = run.request.panel;
  const ids = participants.map(({ model }) => model.id);
  const failures = run.failures.filter(({ seat }) => seat !== arbiter);
  const causes = failures
    .toSorted((a, b) => ids.indexOf(a.seat.model.id) - ids.indexOf(b.seat.model.id))
    .map((failure) => `${failure.seat.model.id} (${faultWords(failure)})`);
  return runFault(`All participant models failed: ${[...new Set(causes)].join(', ')}`, failures);
}
