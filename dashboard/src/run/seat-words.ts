import type { Seat } from './run-events';
import type { RunState } from './run-state';
import { seatName } from './seat-name';

const FIRST_LETTER = 'A'.charCodeAt(0);
const LETTERS = 26;

/** A, B, C … for participants in request order. */
export function letterOf(index: number): string {
  const letter = String.fromCharCode(FIRST_LETTER + (index % LETTERS));
  return index < LETTERS ? letter : `${letter}${Math.floor(index / LETTERS) + 1}`;
}

/** The label of a seat for people, by its name in the trace. */
export function labelOf({ run }: Pick<RunState, 'run'>, seat: string): string {
  const name = seatName(seat);
  if (name === 'arbiter' || name === 'follow_ups') return run?.arbiter.label ?? 'The arbiter';
  return run?.participants.find((one: Seat) => one.seat === name)?.label ?? seat;
}
