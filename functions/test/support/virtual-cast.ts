import type { Act, Character, Move } from './faulty-models';
import type { Schedule } from './virtual-schedule';

const PROMPT_ANSWER: Move = {
  act: 'answers',
  afterMs: 1_000,
  pieces: 1,
  gapMs: 0,
  words: 0,
  heedsAbort: true,
  fault: 'server',
  retryAfterSeconds: undefined,
  reporting: 'at the end',
};

/** One move: a full answer after a second, with `change` applied. */
export function move(act: Act, change: Partial<Move> = {}): Move {
  return { ...PROMPT_ANSWER, act, ...change };
}

/** Answers every call after a second. */
export const ABLE: Character = { able: true, moves: [move('answers')] };

/** Does the same whatever it is asked. */
export function always(act: Act, change: Partial<Move> = {}): Character {
  return { able: false, moves: [move(act, change)] };
}

/** Contributes after a second, and does this where it is to judge or to answer. */
export function contributes(asArbiter: Move): Character {
  return { able: false, moves: [move('answers')], asArbiter: [asArbiter] };
}

/** A run of able models, one round, in one piece, with nothing extra; `change` applied. */
export function scheduleOf(participants: readonly Character[], change: Partial<Schedule> = {}): Schedule {
  return {
    strategy: 'competitive_refinement',
    rounds: 1,
    participants: participants.map((character) => ({ character, twin: false })),
    arbiter: ABLE,
    includeCandidates: false,
    includeExplanation: false,
    includeFollowUps: false,
    live: false,
    readerPauseMs: 0,
    leavesAfterMs: null,
    paceMs: null,
    ledgerLatencyMs: 0,
    ...change,
  };
}
