import { shuffled } from './anonymise';
import type { Panel, Seat } from './panel';
import type { Player } from './players';
import type { Run } from './run';
import type { Exhibit } from './sheet';
import type { WorkPlan } from './work-plan';
import { defectsOf, planDefectsOf, type WorkReview } from './work-review';

/** Who does what. */
export interface Crew {
  readonly strategist: Seat;
  readonly reviewer: Seat;
  readonly implementers: readonly Seat[];
}

/** An implementer and its part; the text is empty until it has delivered. */
export interface Worker extends Player {
  readonly number: number;
}

/** The state of the work. */
export interface Work {
  readonly crew: Crew;
  plan: WorkPlan | undefined;
  workers: Worker[];
  review: WorkReview | undefined;
  /** Implementer calls that the formula allows and nobody needed. */
  savedCalls: number;
}

/** The first plans, the last one reviews, those between implement; two or one take several parts. */
export function crewOf({ participants, arbiter }: Panel): Crew {
  const [first = arbiter, second = first] = participants;
  const last = participants.at(-1) ?? first;
  if (participants.length < 3) return { strategist: first, reviewer: first, implementers: [second] };
  return { strategist: first, reviewer: last, implementers: participants.slice(1, -1) };
}

/** Parts are numbered by the plan; where each is a whole answer, in an order that favours nobody. */
export function numbered(run: Run, players: readonly Player[], plan: WorkPlan | undefined): Worker[] {
  const inOrder = players.map((_, index) => index + 1);
  const numbers = plan ? inOrder : shuffled(inOrder, { requestId: run.id, reader: 'reviewer', step: 'parts' });
  return players.map((player, index) => ({ ...player, number: numbers[index] ?? index + 1 }));
}

/** Before the first review everybody has work; after it, whoever has defects or no part yet. */
export function isDue({ review }: Work, { number, text }: Worker): boolean {
  return !review || text === '' || [...planDefectsOf(review), ...defectsOf(review, number)].length > 0;
}

/** Those who have delivered, in the order of their parts. */
export function done({ workers }: Work): Worker[] {
  return workers.filter(({ text }) => text !== '').toSorted((a, b) => a.number - b.number);
}

/** The parts as others read them. */
export function partsOf(run: Run, work: Work): Exhibit[] {
  return done(work).map(({ number, text }) => ({ title: `part ${number}`, text: run.mask(text) }));
}
