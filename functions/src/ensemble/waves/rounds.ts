import type { CallPurpose, OutputSchema } from '../../models/model';
import type { PromptBlock } from '../../prompting/prompt-draft';
import { wholeTask } from '../form/form-words';
import { activeContributors, type Contributor } from '../panel/contributors';
import { noteDegraded, type Run } from '../run';
import { askAll } from './ask-all';
import { question } from './question';
import { repeatedIn } from './repeated-prefix';

/** Rounds to be played, and their titles. */
export interface Rounds {
  /** Default: 2, the round after the drafts. */
  readonly from?: number;
  /** Title of a round, such as `refining the drafts`. */
  readonly title: string;
  /** Start of the step before, whose length is the best guess for the first of these rounds. Default: now. */
  readonly startedMs?: number;
  /** Contributors that are asked; without any there are no further rounds. */
  readonly contributors: readonly Contributor[];
}

/** Plays rounds until models settle, or the next would not fit time or caps; returns the last one played. */
export async function playRounds(
  run: Run,
  { from = 2, title, contributors, startedMs = run.clock.monotonicMs() }: Rounds,
  play: (round: number) => Promise<string | undefined>,
): Promise<number> {
  const { sink, clock, request } = run;
  const { rounds } = request;
  let lastMs = clock.monotonicMs() - startedMs;
  for (let round = from; round <= rounds; round += 1) {
    const flaw = roundFlaw(run, { round, lastMs, contributors });
    if (flaw !== undefined) {
      skipRounds(run, round, flaw);
      return round - 1;
    }
    sink.status(`Round ${round} of ${rounds}: ${title}`);
    const beganMs = clock.monotonicMs();
    const reason = await play(round);
    lastMs = clock.monotonicMs() - beganMs;
    if (reason === undefined) continue;
    if (round < rounds && !isOver(run)) {
      sink.status(`${reason} after round ${round} of ${rounds}`);
      skipRounds(run, round + 1, reason);
    }
    return round;
  }
  return rounds;
}

/** Reason for which a round is not begun; one of time or caps makes the run less than asked for. */
function roundFlaw(
  run: Run,
  { round, lastMs, contributors }: Pick<Rounds, 'contributors'> & Readonly<Record<'round' | 'lastMs', number>>,
): string | undefined {
  if (isOver(run) || activeContributors(contributors).length === 0) return 'nobody was left to ask';
  const flaw = run.deadline.fitsRound(lastMs) ? run.budget.roundFlaw(round) : 'not enough time for another';
  if (flaw !== undefined) noteDegraded(run, `Stopped after round ${round - 1} of ${run.request.rounds}: ${flaw}`);
  return flaw;
}

/** Reports that the rounds from this one on are not played, and why. */
export function skipRounds({ observer, signal, request, budget }: Run, from: number, reason: string): void {
  if (!signal.aborted && from <= request.rounds) {
    observer?.tell({ type: 'roundsSkipped', from, reason: budget.refusal ?? reason });
  }
}

/** True if only the answer is still to come: what was left out is said where it was. */
function isOver({ signal, budget }: Run): boolean {
  return signal.aborted || budget.refusal !== undefined;
}

/** Questions to the contributors in one wave of a round. */
export interface Turn<C extends Contributor> {
  readonly round: number;
  readonly task: (contributor: C) => readonly PromptBlock[];
  /** Default: revise. */
  readonly purpose?: (contributor: C) => CallPurpose;
  /** Ends the calls' ids where a round has several waves. */
  readonly suffix?: string;
  readonly needed?: boolean;
  /** Set: the replies are to be this JSON. */
  readonly outputSchema?: OutputSchema;
}

/** Asks every active contributor, side by side, and counts failures; returns the replies, and whether all have answered. */
export async function askEach<C extends Contributor>(
  run: Run,
  contributors: readonly C[],
  { round, task, purpose = () => 'revise', suffix = '', needed = false, outputSchema }: Turn<C>,
) {
  const active = activeContributors(contributors);
  const questions = active.map((contributor) => {
    const { seat } = contributor;
    const asked = {
      callId: `r${round}.${seat.id}${suffix}`,
      seat,
      purpose: purpose(contributor),
      round,
      ...(contributor.text !== '' && ({ replaceable: true } as const)),
      ...(outputSchema && { outputSchema }),
    };
    const whole = wholeTask(run.request, asked.purpose, task(contributor));
    return repeatedIn(run, question(asked, { conversation: run.conversation, task: whole }));
  });
  const answered = await askAll(run, questions, { needed });
  const replies = active.flatMap((contributor, index) => {
    const reply = answered[index];
    if (reply && !(reply.isCut && contributor.text !== '')) {
      contributor.isCut ||= reply.isCut;
      return [{ contributor, text: reply.text }];
    }
    contributor.failures += 1;
    return [];
  });
  return { replies, complete: replies.length === active.length };
}
