/*
 * What a run is going to call, before it calls anything: the waves that a strategy says it makes, what they are likely to
 * cost, and whether a caller's budget allows for the next. Imports the panel, prices and token estimates; must not know a
 * strategy, or call a model.
 */
import type { CallPurpose } from '../../models/model';
import type { Panel, Seat } from '../panel/panel';

/** One call that a strategy means to make. */
export interface PlannedCall {
  readonly seat: Seat;
  readonly purpose: CallPurpose;
  /** How many participants' texts it shows. */
  readonly reads: number;
}

/** Calls side by side. */
export interface PlannedWave {
  /** The round as `playRounds` counts it, for a wave that can be left out; 0: the run cannot do without it. */
  readonly round: number;
  readonly calls: readonly PlannedCall[];
}

/** All that a strategy calls when nothing stops it early, in order. */
export interface StrategyPlan {
  /** Before the arbiter's own calls. */
  readonly waves: readonly PlannedWave[];
  /** How many participants' texts the answer is made from. */
  readonly material: number;
  /** The times the arbiter reads them before it writes, side by side, with or without an explanation. Default: 0. */
  readonly verdicts?: number;
  /** What of that is called in any case. */
  readonly least?: LeastCalls;
}

/** What a run calls that ends as early as its models may let it. */
export interface LeastCalls {
  /** So many waves, from the first. Default: up to the first of those that can be left out. */
  readonly waves?: number;
  /** Whether the arbiter need not read the texts, as one side has given in. */
  readonly unread?: boolean;
  /** Whether the last of those waves may be the answer itself. */
  readonly unwritten?: boolean;
}

/** Whether a call may search the web: first texts do, and an answer that is made from none. */
export function maySearch({ seat, purpose, reads }: PlannedCall): boolean {
  return seat.webSearch === true && (purpose === 'draft' || (purpose === 'answer' && reads === 0));
}

/** The same kind of call for each of these seats. */
export function callsOf(seats: readonly Seat[], purpose: CallPurpose, reads: number): PlannedCall[] {
  return seats.map((seat) => ({ seat, purpose, reads }));
}

/** Waves of each round from `from` to `rounds`. */
export function wavesOfRounds(
  { from, rounds }: { readonly from: number; readonly rounds: number },
  wavesOf: (round: number) => readonly (readonly PlannedCall[])[],
): PlannedWave[] {
  const numbers = Array.from({ length: Math.max(0, rounds - from + 1) }, (_, index) => from + index);
  return numbers.flatMap((round) => wavesOf(round).map((calls) => ({ round, calls })));
}

/** First texts; then in each round everybody reads all of them. */
export function everybodyReadsAll({ participants }: Pick<Panel, 'participants'>, rounds: number): StrategyPlan {
  const everybody = participants.length;
  return {
    waves: [
      { round: 0, calls: callsOf(participants, 'draft', 0) },
      ...wavesOfRounds({ from: 2, rounds }, () => [callsOf(participants, 'revise', everybody)]),
    ],
    material: everybody,
  };
}
