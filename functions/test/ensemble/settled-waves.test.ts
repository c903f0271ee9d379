import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import { fakeClock } from '../support/fake-clock';
import { type Play, playRun, requestId, requestOf } from '../support/played-run';
import { readTrace } from '../support/read-trace';
import { PLAIN, type Script } from '../support/scripted-models';
import { playTraced } from './trace/traced-run';

/** Three participants: two give the same answer after two seconds, and the third has something to say after ten. */

const MODELS = ['gpt-4o', 'gpt-4.1', 'gpt-4o-mini'];
const SLOW = 'gpt-4o-mini';
const NOT_WAITED_FOR = 'GPT-4o mini was not waited for: most have given the same answer';

const scriptOf =
  (draft: (model: string) => string): Script =>
  (call) => ({
    ...PLAIN(call),
    ...(call.purpose === 'draft' && { text: draft(call.providerModel) }),
    delayMs: call.providerModel === SLOW ? 10_000 : 2_000,
  });

async function play(strategy: StrategyName, draft: (model: string) => string, asked: Partial<Play> = {}) {
  const clock = fakeClock();
  const setup = { id: requestId(strategy), strategy, models: MODELS, rounds: 1, explain: false, clock };
  const script = scriptOf(draft);
  const fields = { includeCandidates: false, ...asked.fields };
  const startedMs = clock.monotonicMs();
  const run = await clock.settle(playRun({ ...setup, script, ...asked, fields }), 600_000);
  const isHeard = !run.statuses.includes(NOT_WAITED_FOR);
  return { ...run, isHeard, seconds: (clock.monotonicMs() - startedMs) / 1_000 };
}

const SAME = (): string => '1. A berry is one.\n\nANSWER: yes';
const FORM = { answerForm: { name: 'verdict', schema: { type: 'object' } } };

/** Strategies in which the final answers count of texts that nobody else reads. */
const BY_ANSWERS: readonly StrategyName[] = ['competitive_refinement', 'chain_of_thought'];

describe.each(BY_ANSWERS)('%s', (strategy) => {
  it('the third is not waited for where two say the same; its call is in the books', async () => {
    const { ok, isHeard, degraded, seconds, ...run } = await play(strategy, SAME);
    expect({ ok, isHeard, degraded }).toEqual({ ok: true, isHeard: false, degraded: [] });
    // The drafts, a moment for the third, and the answer.
    expect(seconds).toBe(2 + 1 + 2);
    const { agreement, costNanoUsd } = run;
    expect(agreement).toEqual({
      share: 1,
      measuredOn: 'final_answers',
      words: 'Both final answers are the same.',
    });
    expect(costNanoUsd).toBeGreaterThan(0);
  });

  it('nor with the values of a form', async () => {
    const json = (model: string): string => (model === 'gpt-4o' ? '{"a": 1, "b": 2}' : '{"b": 2, "a": 1}');
    expect(await play(strategy, json, { fields: FORM })).toMatchObject({ isHeard: false });
    const other = (model: string): string => (model === 'gpt-4o' ? '{"a": 1, "b": 3}' : '{"b": 2, "a": 1}');
    expect(await play(strategy, other, { fields: FORM })).toMatchObject({ isHeard: true });
  });

  it.each<[rule: string, draft: (model: string) => string, asked: Partial<Play>]>([
    ['where the two differ', (model) => `ANSWER: ${model}`, {}],
    ['where they write prose', () => 'It is a berry.\nIts seeds are inside.', {}],
    ['where its text is read in another round', SAME, { rounds: 2 }],
    ['where candidates are asked for', SAME, { fields: { includeCandidates: true } }],
    ['where the caller wants three', SAME, { fields: { stragglers: { quorum: 3 } } }],
    ['where the caller gives it time', SAME, { fields: { stragglers: { graceMs: 20_000 } } }],
  ])('it is waited for %s', async (_, draft, asked) => {
    expect(await play(strategy, draft, asked)).toMatchObject({ ok: true, isHeard: true, degraded: [] });
  });
});

it('its trace says why it was cut, and the ledger has its call', async () => {
  const { events, rows } = await playTraced({
    request: { ...requestOf({ strategy: 'chain_of_thought', models: MODELS, rounds: 1 }), includeCandidates: false },
    script: scriptOf(SAME),
    live: true,
  });
  const { calls, flaws } = readTrace(events);
  expect(flaws).toEqual([]);
  expect(calls.get('r1.p3')).toMatchObject({ state: 'cut', reason: 'most have given the same answer' });
  expect(rows.find(({ callId }) => callId === 'r1.p3')).toMatchObject({ outcome: 'aborted' });
});

it.each(STRATEGY_NAMES.filter((name) => !BY_ANSWERS.includes(name)))('%s waits for all texts', async (strategy) => {
  expect(await play(strategy, SAME)).toMatchObject({ ok: true, isHeard: true, degraded: [] });
});
