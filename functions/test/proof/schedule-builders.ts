import type { Behaviour, Reaction, ReactionKind } from './faulty-models';
import type { Schedule } from './schedule';

const PROMPT_ANSWER: Reaction = {
  kind: 'answers',
  afterMs: 1_000,
  pieces: 1,
  gapMs: 0,
  words: 0,
  heedsAbort: true,
  fault: 'server',
  retryAfterSeconds: undefined,
  reporting: 'at the end',
};

/** One reaction: a full answer after a second, with `change` applied. */
export function reaction(kind: ReactionKind, change: Partial<Reaction> = {}): Reaction {
  return { ...PROMPT_ANSWER, kind, ...change };
}

/** Answers every call after a second. */
export const ABLE: Behaviour = { able: true, reactions: [reaction('answers')] };

/** Does the same whatever it is asked. */
export function always(kind: ReactionKind, change: Partial<Reaction> = {}): Behaviour {
  return { able: false, reactions: [reaction(kind, change)] };
}

/** Contributes after a second, and does this where it is to judge or to answer. */
export function contributes(asArbiter: Reaction): Behaviour {
  return { able: false, reactions: [reaction('answers')], asArbiter: [asArbiter] };
}

/** A run of able models, one round, in one piece, with nothing extra; `change` applied. */
export function scheduleOf(participants: readonly Behaviour[], change: Partial<Schedule> = {}): Schedule {
  return {
    strategy: 'competitive_refinement',
    rounds: 1,
    participants: participants.map((behaviour) => ({ behaviour, twin: false })),
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
