import { shuffled } from '../../../prompting/blind-labels';
import type { FencedText } from '../../../prompting/prompt-draft';
import { type Contributor, shownText } from '../../panel/contributors';
import type { Panel, Seat } from '../../panel/panel';
import type { Run } from '../../run';
import type { SharedPlan, WorkPlan } from './work-plan';
import { defectsOf, planDefectsOf, type WorkReview } from './work-review';

/** An implementer and its part; the text is empty until it has delivered. */
export interface Worker extends Contributor {
  readonly number: number;
  part?: string;
}

/** The state of the work. */
export interface Work {
  plan: SharedPlan | undefined;
  workers: Worker[];
  review: WorkReview | undefined;
  /** Implementer calls that the formula allows and that were not needed. */
  savedCalls: number;
}

/** Seats by their work. */
export interface Crew {
  readonly strategist: Seat;
  readonly reviewer: Seat;
  readonly implementers: readonly Seat[];
}

/** The first plans, the last one reviews, those between implement; two or one take several parts. */
export function crewOf({ participants, arbiter }: Panel): Crew {
  const [first = arbiter, second = first] = participants;
  const last = participants.at(-1) ?? first;
  if (participants.length < 3) return { strategist: first, reviewer: first, implementers: [second] };
  return { strategist: first, reviewer: last, implementers: participants.slice(1, -1) };
}

/** Parts are numbered by the plan; where each is a whole answer, in an order that favours none. */
export function numbered(run: Run, contributors: readonly Contributor[], plan: WorkPlan | undefined): Worker[] {
  const inOrder = contributors.map((_, index) => index + 1);
  const numbers = plan ? inOrder : shuffled(inOrder, { requestId: run.id, reader: 'reviewer', step: 'parts' });
  return contributors.map((contributor, index) => ({ ...contributor, number: numbers[index] ?? index + 1 }));
}

/** Defects that the last review asks an implementer to correct, those of the plan included. */
export function defectsFor({ review }: Work, { number }: Worker): string[] {
  return review ? [...planDefectsOf(review), ...defectsOf(review, number)] : [];
}

/** Those that have delivered, in the order of their parts. */
export function delivered({ workers }: Work): Worker[] {
  return workers.filter(({ text }) => text !== '').toSorted((a, b) => a.number - b.number);
}

/** Title of a worker's part. */
export function partIn({ plan }: Work, { number }: Worker): string {
  return plan?.items[number - 1]?.title ?? 'the whole task';
}

/** The parts as others read them. */
export function partsOf(run: Run, work: Work): FencedText[] {
  return delivered(work).map((worker) => ({
    title: `part ${worker.number}`,
    text: shownText(run, worker),
    by: worker.seat.id,
  }));
}
