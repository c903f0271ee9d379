import { type FakeClock, fakeClock } from '../../../test/support/fake-clock';
import type { ModelFaultKind } from '../model';
import { Breaker } from './breaker';

const MODEL = 'openai gpt-x';

/** Reports calls that ended so, one after the other; says whether the last one opened the circuit. */
function report(breaker: Breaker, faults: readonly (ModelFaultKind | undefined)[]): boolean {
  return faults.map((fault) => breaker.ended(MODEL, fault)).at(-1) ?? false;
}

function times<T>(count: number, item: T): T[] {
  return Array.from({ length: count }, () => item);
}

describe('Breaker', () => {
  let clock: FakeClock;
  let breaker: Breaker;

  beforeEach(() => {
    clock = fakeClock();
    breaker = new Breaker(clock);
  });

  it('opens with the tenth call when half of them failed', () => {
    expect(report(breaker, [...times(5, undefined), ...times(4, 'overloaded' as const)])).toBe(false);
    expect(breaker.admits(MODEL)).toBe(true);
    expect(report(breaker, ['server'])).toBe(true);
    expect(breaker.admits(MODEL)).toBe(false);
  });

  it('stays closed while less than half failed', () => {
    report(breaker, [...times(6, undefined), ...times(5, 'network' as const)]);
    expect(breaker.admits(MODEL)).toBe(true);
  });

  it('stays closed below ten calls, however they ended', () => {
    report(breaker, times(9, 'timeout' as const));
    expect(breaker.admits(MODEL)).toBe(true);
  });

  it.each([
    'rate_limited',
    'unauthorized',
    'not_found',
    'bad_request',
    'context_length',
    'content_filter',
    'empty',
    'aborted',
  ] as const)('%s says nothing of the model being down', (fault) => {
    report(breaker, times(50, fault));
    expect(breaker.admits(MODEL)).toBe(true);
  });

  it('forgets calls after 30 s', async () => {
    report(breaker, times(9, 'server' as const));
    await clock.advance(30_000);
    report(breaker, ['server']);
    expect(breaker.admits(MODEL)).toBe(true);
  });

  it('counts each model apart', () => {
    report(breaker, times(10, 'server' as const));
    expect([breaker.admits(MODEL), breaker.admits('openai gpt-y')]).toEqual([false, true]);
  });

  it('lets one call through after 15 s, and no other while it runs', async () => {
    report(breaker, times(10, 'server' as const));
    await clock.advance(14_999);
    expect(breaker.admits(MODEL)).toBe(false);
    await clock.advance(1);
    expect([breaker.admits(MODEL), breaker.admits(MODEL)]).toEqual([true, false]);
  });

  it.each([
    { rule: 'a good one closes it', fault: undefined, afterwards: [true, true] },
    {
      rule: 'one refused for what it asked closes it: the model answers',
      fault: 'bad_request' as const,
      afterwards: [true, true],
    },
    { rule: 'a failed one opens it for 15 s more', fault: 'overloaded' as const, afterwards: [false, false] },
    {
      rule: 'one that tells nothing leaves the next call to find out',
      fault: 'aborted' as const,
      afterwards: [true, false],
    },
  ])('the call let through: $rule', async ({ fault, afterwards }) => {
    report(breaker, times(10, 'server' as const));
    await clock.advance(15_000);
    breaker.admits(MODEL);
    breaker.ended(MODEL, fault);
    expect([breaker.admits(MODEL), breaker.admits(MODEL)]).toEqual(afterwards);
  });

  it('starts counting anew once it has closed', async () => {
    report(breaker, times(10, 'server' as const));
    await clock.advance(15_000);
    breaker.admits(MODEL);
    expect(report(breaker, [undefined, ...times(9, 'server' as const)])).toBe(false);
    expect(breaker.admits(MODEL)).toBe(true);
    expect(report(breaker, ['server'])).toBe(true);
  });
});
