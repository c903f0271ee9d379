import { HARD_STOP_MS } from '../../src/ensemble/deadline/deadline';
import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import { fakeClock } from '../support/fake-clock';
import { type Play, playRun, requestId } from '../support/played-run';
import { PLAIN, type Script } from '../support/scripted-models';

/** Models that think in silence before they write, beside quick ones. */

const THINKS = 'o3';
const QUICK = ['gpt-4o', 'gpt-4.1'];

/** Quick models answer after two seconds, the one that thinks after so many; each drafts in words of its own. */
const thinking =
  (seconds: number): Script =>
  (call) => ({
    ...PLAIN(call),
    ...(call.purpose === 'draft' && { text: `${call.providerModel} says so.` }),
    delayMs: call.providerModel === THINKS ? seconds * 1_000 : 2_000,
  });

async function play(strategy: (typeof STRATEGY_NAMES)[number], script: Script, asked: Partial<Play> = {}) {
  const clock = fakeClock();
  const setup = { id: requestId(strategy), strategy, models: [...QUICK, THINKS], rounds: 1, script, clock };
  return clock.settle(playRun({ ...setup, ...asked }), HARD_STOP_MS + 1_000);
}

describe.each(STRATEGY_NAMES)('%s', (strategy) => {
  it.each([
    { rule: 'thinks for 40 s', seconds: 40 },
    { rule: 'thinks for 130 s, where all are waited for,', seconds: 130, fields: { stragglers: { quorum: 3 } } },
  ])('regression: a participant that $rule is heard, and asked once', async ({ seconds, fields = {} }) => {
    const { ok, degraded, calls } = await play(strategy, thinking(seconds), { fields });
    expect({ ok, degraded }).toEqual({ ok: true, degraded: [] });
    const drafts = calls.filter(({ providerModel, purpose }) => providerModel === THINKS && purpose === 'draft');
    expect(drafts.length).toBeLessThanOrEqual(1);
  });

  it('regression: an arbiter that thinks for 130 s writes the answer itself', async () => {
    const { ok, degraded } = await play(strategy, thinking(130), { models: QUICK, arbiter: THINKS });
    expect({ ok, degraded }).toEqual({ ok: true, degraded: [] });
  });
});
