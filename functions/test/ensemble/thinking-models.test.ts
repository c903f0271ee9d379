import { HARD_STOP_MS } from '../../src/ensemble/deadline/deadline';
import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import { fakeClock } from '../support/fake-clock';
import { playRun, requestId } from '../support/played-run';
import { PLAIN, type Script } from '../support/scripted-models';

/** Models that think in silence before they write, beside quick ones. */

const THINKS = 'o3';
const QUICK = ['gpt-4o', 'gpt-4.1'];

/** Quick models answer after two seconds, the one that thinks after so many. */
const thinking =
  (seconds: number): Script =>
  (call) => ({ ...PLAIN(call), delayMs: call.providerModel === THINKS ? seconds * 1_000 : 2_000 });

async function play(strategy: (typeof STRATEGY_NAMES)[number], script: Script, arbiter?: string) {
  const clock = fakeClock();
  const startedMs = clock.nowMs();
  const models = arbiter === undefined ? [...QUICK, THINKS] : QUICK;
  const setup = { id: requestId(strategy), strategy, models, rounds: 1, script, clock };
  const run = await clock.settle(
    playRun({ ...setup, ...(arbiter !== undefined && { arbiter }) }),
    HARD_STOP_MS + 1_000,
  );
  return { ...run, seconds: (clock.nowMs() - startedMs) / 1_000 };
}

describe.each(STRATEGY_NAMES)('%s', (strategy) => {
  it('regression: a participant that thinks for 130 s is heard, and asked once', async () => {
    const { ok, degraded, calls } = await play(strategy, thinking(130));
    expect({ ok, degraded }).toEqual({ ok: true, degraded: [] });
    const drafts = calls.filter(({ providerModel, purpose }) => providerModel === THINKS && purpose === 'draft');
    expect(drafts.length).toBeLessThanOrEqual(1);
  });

  it('regression: an arbiter that thinks for 130 s writes the answer itself', async () => {
    const { ok, degraded } = await play(strategy, thinking(130), THINKS);
    expect({ ok, degraded }).toEqual({ ok: true, degraded: [] });
  });

  it('a participant that never says a word does not keep the run from its answer', async () => {
    const { ok, seconds } = await play(strategy, thinking(1_000));
    expect(ok).toBe(true);
    expect(seconds).toBeLessThan(HARD_STOP_MS / 1_000);
  });
});
