import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import type { ModelFaultKind } from '../../src/models/model-fault';
import fc from '../support/properties';
import { type Behaviour, REACTION_KINDS, type Reaction, type ReactionKind, type Reporting } from './faulty-models';

/** A participant: a model of its own, or the model of the seat before it once more. */
export interface Participant {
  readonly behaviour: Behaviour;
  readonly twin: boolean;
}

/** Everything that is left to chance in one run. */
export interface Schedule {
  readonly strategy: StrategyName;
  readonly rounds: number;
  readonly participants: readonly Participant[];
  /** A model of its own, or the number of a participant's seat. */
  readonly arbiter: Behaviour | number;
  readonly includeCandidates: boolean;
  readonly includeExplanation: boolean;
  readonly includeFollowUps: boolean;
  readonly live: boolean;
  /** Time that the reader takes over each delta; a reader that is stuck for ever. */
  readonly readerPauseMs: number;
  /** Time at which the client leaves; null: it stays. */
  readonly leavesAfterMs: number | null;
  /** Time that the arbiter took for its latest answers, where that is known. */
  readonly paceMs: number | null;
  readonly ledgerLatencyMs: number;
}

/** Every kind of failure there is. */
export const FAULT_KINDS: readonly ModelFaultKind[] = [
  'rate_limited',
  'overloaded',
  'timeout',
  'unauthorized',
  'not_configured',
  'not_found',
  'bad_request',
  'context_length',
  'network',
  'server',
  'protocol',
  'content_filter',
  'empty',
  'aborted',
];

const REPORTINGS: readonly Reporting[] = ['at the end', 'all along', 'prompt first', 'never'];
const BAD_KINDS = REACTION_KINDS.filter((kind) => kind !== 'answers' && kind !== 'is truncated');

const latencyMs = fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 5_000, max: 200_000 }));

function reactionOf(kind: fc.Arbitrary<ReactionKind>): fc.Arbitrary<Reaction> {
  return fc.record({
    kind,
    afterMs: latencyMs,
    pieces: fc.integer({ min: 1, max: 5 }),
    gapMs: fc.constantFrom(0, 10, 1_000, 40_000, 100_000),
    words: fc.nat(59),
    heedsAbort: fc.boolean(),
    fault: fc.constantFrom(...FAULT_KINDS),
    retryAfterSeconds: fc.constantFrom(undefined, undefined, 0, 1, 30, 300, 9_999),
    reporting: fc.constantFrom(...REPORTINGS),
  });
}

const anyReaction = reactionOf(fc.constantFrom('answers', 'answers', 'answers', ...REACTION_KINDS));
const badReaction = reactionOf(fc.constantFrom(...BAD_KINDS));
/** At most 500 + 4 × 600 ms in all. */
const ableReaction = fc
  .tuple(reactionOf(fc.constantFrom('answers', 'answers', 'is truncated')), fc.nat(500), fc.nat(600))
  .map(([reaction, afterMs, gapMs]): Reaction => ({ ...reaction, afterMs, gapMs }));

const reactions = (reaction: fc.Arbitrary<Reaction>, max: number) =>
  fc.array(reaction, { minLength: 1, maxLength: max });
const able: fc.Arbitrary<Behaviour> = fc.record({ able: fc.constant(true), reactions: reactions(ableReaction, 3) });
const unable = (does: fc.Arbitrary<Reaction[]>, asArbiter?: fc.Arbitrary<Reaction[]>): fc.Arbitrary<Behaviour> =>
  fc.record({ able: fc.constant(false), reactions: does, ...(asArbiter && { asArbiter }) });
const moody = unable(reactions(anyReaction, 4));
/** Fails in the same way whatever it is asked. */
const stubborn = unable(reactions(badReaction, 1));
/** Contributes, and fails where it is to judge or to answer. */
const twoFaced = unable(reactions(ableReaction, 2), reactions(badReaction, 2));
/** Answers well and takes its time, so that many rounds do not fit. */
const slowReaction = fc
  .tuple(ableReaction, fc.integer({ min: 10_000, max: 60_000 }))
  .map(([reaction, afterMs]) => ({ ...reaction, afterMs }));
const plodder = unable(reactions(slowReaction, 2));
/** Contributes, and is endlessly slow where it is to answer: it takes all the time it is given. */
const endlessReaction = reactionOf(fc.constantFrom('hangs', 'only lives', 'goes silent', 'drips'));
const dawdler = unable(reactions(ableReaction, 1), reactions(endlessReaction, 1));
const behaviour = fc.oneof(
  { arbitrary: able, weight: 2 },
  { arbitrary: moody, weight: 4 },
  { arbitrary: stubborn, weight: 2 },
  { arbitrary: twoFaced, weight: 2 },
  { arbitrary: dawdler, weight: 1 },
  { arbitrary: plodder, weight: 1 },
);
/** Hard case of succession: many who contribute and dawdle over the answer, and somewhere one who can. */
const crowd = fc
  .tuple(fc.array(dawdler, { minLength: 1, maxLength: 15, size: 'max' }), able, fc.nat(15))
  .map(([dawdlers, one, place]): Participant[] =>
    dawdlers.toSpliced(place, 0, one).map((behaviour) => ({ behaviour, twin: false })),
  );
/** Nearly always a small panel: a large one costs as much as twenty of them. */
const participants = fc.oneof(
  { arbitrary: fc.array(participantOf(behaviour), { minLength: 1, maxLength: 4, size: 'max' }), weight: 8 },
  { arbitrary: fc.array(participantOf(behaviour), { minLength: 5, maxLength: 16, size: 'max' }), weight: 1 },
  { arbitrary: crowd, weight: 1 },
);

function participantOf(of: fc.Arbitrary<Behaviour>): fc.Arbitrary<Participant> {
  return fc.record({ behaviour: of, twin: fc.nat(9).map((n) => n === 0) });
}

/** Schedules of one strategy, or of all; put into `fixed` what is not left to chance. */
export function schedules(fixed: Partial<Schedule> = {}): fc.Arbitrary<Schedule> {
  return fc
    .record({
      strategy: fc.constantFrom(...STRATEGY_NAMES),
      rounds: fc.oneof({ arbitrary: fc.integer({ min: 1, max: 3 }), weight: 4 }, fc.integer({ min: 1, max: 10 })),
      participants,
      arbiter: fc.oneof<fc.Arbitrary<Behaviour | number>[]>(behaviour, fc.nat(15)),
      includeCandidates: fc.boolean(),
      includeExplanation: fc.boolean(),
      includeFollowUps: fc.boolean(),
      live: fc.boolean(),
      // With an able model's three seconds, five pauses must fit the last turn on a full ladder.
      readerPauseMs: fc.constantFrom(0, 0, 50, Number.POSITIVE_INFINITY),
      leavesAfterMs: fc.oneof(
        { arbitrary: fc.constant(null), weight: 4 },
        fc.integer({ min: 0, max: 530_000 }),
        fc.nat(5_000),
      ),
      paceMs: fc.constantFrom(null, null, 1_000, 90_000, 400_000),
      ledgerLatencyMs: fc.constantFrom(0, 0, 20),
    })
    .map((drawn) => ({ ...drawn, ...fixed }));
}
