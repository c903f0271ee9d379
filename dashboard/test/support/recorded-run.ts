import type { RunEvent, RunEventOf, Spend } from '../../src/run/run-events';

type Untraced = RunEvent extends infer Event ? (Event extends RunEvent ? Omit<Event, 'seq' | 'atMs'> : never) : never;
type Ended = Extract<RunEventOf<'call'>, { readonly state: 'retry' | 'done' | 'cut' | 'failed' | 'spared' }>;

const CALLS_MAX = 7;
const PROMPT_TOKENS = 10;

/** The spend of an attempt of so many completion tokens, at 2,000 nano-USD each. */
export function spent(completionTokens: number, costNanoUsd = completionTokens * 2_000): Spend {
  return {
    promptTokens: PROMPT_TOKENS,
    completionTokens,
    cachedPromptTokens: 0,
    reasoningTokens: 0,
    estimated: false,
    costNanoUsd,
    priced: true,
  };
}

/** Three participants and an arbiter. */
const BEGAN: Untraced = {
  type: 'run',
  version: 1,
  runId: 'run-1',
  startedAtMs: 1_760_000_000_000,
  strategy: 'competitive_refinement',
  rounds: 2,
  participants: ['Ada', 'Blaise', 'Curie'].map((label, index) => ({
    seat: `p${index + 1}`,
    modelId: `model-${label.toLowerCase()}`,
    modelName: label,
    label,
    source: index === 1 ? 'router' : 'platform',
  })),
  arbiter: { seat: 'arbiter', modelId: 'model-ada', modelName: 'Ada', label: 'Ada', source: 'platform' },
  callsMax: CALLS_MAX,
  costMaxNanoUsd: 9_000_000,
  durationMaxMs: 60_000,
};

const queued = (call: string, seat: string, about: object = {}): Untraced => ({
  ...{ type: 'call', state: 'queued', call, seat, modelId: `model-${seat}`, round: 1, purpose: 'draft', saw: [] },
  ...{ shortened: false, ...about },
});
const started = (call: string, attempt = 1): Untraced => ({ type: 'call', state: 'started', call, attempt });
const first = (call: string, attempt = 1): Untraced => ({ type: 'call', state: 'first', call, attempt });
const text = (call: string, words: string, attempt = 1): Untraced => ({ type: 'text', call, attempt, text: words });
const ended = (call: string, state: Ended['state'], about: Partial<Ended> = {}): Untraced =>
  ({ type: 'call', state, call, attempt: 1, ...about }) as Untraced;
const standing = (seat: string, call: string, words: string, round = 1): Untraced => ({
  ...{ type: 'standing', seat, call, round, text: words },
});

/**
 * A run of two rounds, a step every 100 ms, in which Ada revises, Blaise is asked twice and cut in the second round, and
 * Curie fails for good.
 */
const STEPS: readonly Untraced[] = [
  BEGAN,
  { type: 'round', round: 1, of: 2, purpose: 'draft', label: 'drafts' },
  queued('r1.p1', 'p1'),
  queued('r1.p2', 'p2'),
  queued('r1.p3', 'p3'),
  started('r1.p1'),
  started('r1.p2'),
  started('r1.p3'),
  first('r1.p1'),
  text('r1.p1', 'A tomato '),
  ended('r1.p2', 'retry', { reason: 'overloaded', fault: 'overloaded', spend: spent(0, 0) }),
  ended('r1.p3', 'failed', { reason: 'not found', fault: 'not_found', spend: spent(0, 0) }),
  text('r1.p1', 'is a fruit.'),
  started('r1.p2', 2),
  first('r1.p2', 2),
  text('r1.p2', 'It is a vegetable.', 2),
  ended('r1.p1', 'done', { durationMs: 1_100, finishReason: 'stop', spend: spent(5) }),
  ended('r1.p2', 'done', { attempt: 2, durationMs: 300, finishReason: 'stop', spend: spent(4) }),
  standing('p1', 'r1.p1', 'A tomato is a fruit.'),
  standing('p2', 'r1.p2', 'It is a vegetable.'),
  { type: 'round', round: 2, of: 2, purpose: 'revise', label: 'revisions' },
  queued('r2.p1', 'p1', {
    ...{ round: 2, purpose: 'revise' },
    saw: [
      { seat: 'p1', as: 'yours' },
      { seat: 'p2', as: 'A' },
    ],
  }),
  queued('r2.p2', 'p2', { round: 2, purpose: 'revise', saw: [{ seat: 'p1', as: 'A' }] }),
  started('r2.p1'),
  started('r2.p2'),
  first('r2.p1'),
  text('r2.p1', 'A tomato is a berry. BALLOT: A'),
  ended('r2.p1', 'done', { durationMs: 300, finishReason: 'stop', spend: spent(6) }),
  ended('r2.p2', 'cut', { reason: 'too slow', spend: spent(1) }),
  standing('p1', 'r2.p1', 'A tomato is a berry.', 2),
  { type: 'ranking', call: 'r2.p1', order: ['p2'] },
  { type: 'limitation', text: 'Curie gave no answer (not found)' },
  { type: 'round', round: 0, of: 2, purpose: 'answer', label: 'answer' },
  queued('answer', 'arbiter', { round: 0, purpose: 'answer', saw: [{ seat: 'p1', as: 'A' }] }),
  started('answer'),
  first('answer'),
  { type: 'answer', text: 'It is ' },
  { type: 'answer', text: '**a berry**.' },
  ended('answer', 'done', { durationMs: 400, finishReason: 'stop', spend: spent(7) }),
  {
    ...{ type: 'verdict', seat: 'arbiter', explanation: 'Ada is right.', winner: 'p1' },
    ...{ followUpPrompts: ['Is a cucumber one?'], degraded: ['Curie gave no answer (not found)'] },
  },
  {
    ...{ type: 'end', outcome: 'complete', promptTokens: 50, completionTokens: 23, costNanoUsd: 46_000, calls: 7 },
    unpricedModels: [],
  },
];

const STEP_MS = 100;

/** These steps as events, one every 100 ms. */
export function recorded(steps: readonly Untraced[] = STEPS): RunEvent[] {
  return steps.map((step, seq) => ({ ...step, seq, atMs: seq * STEP_MS }) as RunEvent);
}
