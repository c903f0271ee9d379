import { fakeClock } from '../../test/support/fake-clock';
import { isRefusal } from '../errors';
import { OpenRuns } from './open-runs';

const MINUTE_MS = 60_000;

/** Thirty runs of one user, one a second, with a time limit of 525 s. */
async function full() {
  const clock = fakeClock();
  const open = new OpenRuns(clock);
  const startedAtMs = clock.nowMs();
  for (let count = 0; count < 30; count += 1) {
    open.begin('alice', clock.nowMs() + 525_000);
    await clock.advance(1_000);
  }
  const ask = () => open.begin('alice', clock.nowMs() + 525_000);
  const moveTo = (ms: number) => clock.advance(startedAtMs + ms - clock.nowMs());
  const retryAfter = () => {
    const answer = ask();
    return isRefusal(answer) ? answer.headers?.['retry-after'] : undefined;
  };
  return { ask, moveTo, retryAfter };
}

describe('the open runs of a user', () => {
  it('tell the wait until the oldest reaches its time limit, at most a minute and at least a second', async () => {
    const { moveTo, retryAfter } = await full();
    expect(retryAfter()).toBe('60');
    await moveTo(500_000);
    expect(retryAfter()).toBe('25');
    await moveTo(524_999);
    expect(retryAfter()).toBe('1');
    // It is being settled.
    await moveTo(526_000);
    expect(retryAfter()).toBe('1');
  });

  it('free the place of a run that never said it was over, a minute after its time limit', async () => {
    const { ask, moveTo } = await full();
    await moveTo(525_000 + MINUTE_MS);
    expect(isRefusal(ask())).toBe(true);
    await moveTo(525_001 + MINUTE_MS);
    expect(isRefusal(ask())).toBe(false);
    expect(isRefusal(ask())).toBe(true);
  });

  it('tell how many there may be', async () => {
    const { ask } = await full();
    expect(ask()).toMatchObject({
      code: 'rate_limited',
      text: 'Too many runs under way: at most 30 at a time',
    });
  });

  it('end once also when the user has no other', () => {
    const run = new OpenRuns(fakeClock()).begin('alice', 0);
    if (isRefusal(run)) throw new Error('refused');
    run.end();
    expect(run.end).not.toThrow();
  });

  it('end once, however often that is said', () => {
    const clock = fakeClock();
    const open = new OpenRuns(clock);
    const begin = () => open.begin('alice', clock.nowMs() + 525_000);
    const runs = Array.from({ length: 30 }, begin);
    const [first] = runs;
    if (!first || isRefusal(first)) throw new Error('refused');
    first.end();
    first.end();
    expect(isRefusal(begin())).toBe(false);
    expect(isRefusal(begin())).toBe(true);
  });
});
