import { fakeClock } from '../../test/support/fake-clock';
import fc from '../../test/support/properties';
import { isRefusal } from '../errors';
import { createLog } from '../lib/log';
import { decideLease, type Grant, grantState, leaseForRun } from './grant';

const MAX = 100;
const LEASE_MS = 50;

/** A grant beside a model of it: a plain list, looked through each time. */
class Pair {
  nowMs = 1_000;
  #grant: Grant = { usedTokens: 0, leases: new Map() };
  #held: { readonly run: string; readonly tokens: number; readonly untilMs: number }[] = [];

  lease(run: string, tokens: number): void {
    const untilMs = this.nowMs + LEASE_MS;
    const lease = { userId: 'u', month: '2026-01', requestId: run, tokens, leaseUntilMs: untilMs };
    const { decision, leases } = decideLease(this.#grant, lease, { maxTokens: MAX, nowMs: this.nowMs });
    const others = this.#open().filter((one) => one.run !== run);
    const free = MAX - this.#grant.usedTokens - sumOf(others);
    expect([decision.granted, leases !== undefined]).toEqual(Array(2).fill(tokens === 0 || tokens <= free));
    if (!leases) return;
    this.#grant = { ...this.#grant, leases };
    this.#held = tokens === 0 ? others : [...others, { run, tokens, untilMs }];
    // Nothing that has ended is kept.
    expect(leases.size).toBe(this.#held.length);
  }

  settle(run: string, tokens: number): void {
    const leases = new Map([...this.#grant.leases].filter(([id]) => id !== run));
    this.#grant = { usedTokens: this.#grant.usedTokens + tokens, leases };
    this.#held = this.#held.filter((one) => one.run !== run);
  }

  check(): void {
    expect(grantState(this.#grant, this.nowMs).leasedTokens).toBe(sumOf(this.#open()));
  }

  #open() {
    return this.#held.filter(({ untilMs }) => untilMs > this.nowMs);
  }
}

function sumOf(leases: readonly { readonly tokens: number }[]): number {
  return leases.reduce((sum, { tokens }) => sum + tokens, 0);
}

type Step = (pair: Pair) => void;
const run = fc.nat(5).map((number) => `run-${number}`);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(run, fc.nat(120)).map(
    ([id, tokens]): Step =>
      (pair) =>
        pair.lease(id, tokens),
  ),
  fc.tuple(run, fc.nat(30)).map(
    ([id, tokens]): Step =>
      (pair) =>
        pair.settle(id, tokens),
  ),
  fc.nat(60).map(
    (ms): Step =>
      (pair) => {
        pair.nowMs += ms;
      },
  ),
);

describe('decideLease', () => {
  it('never sets aside more than is left, never refuses what fits, and forgets what has ended', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const pair = new Pair();
        for (const one of steps) {
          one(pair);
          pair.check();
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([-1, 1.5, Number.NaN, 2 ** 53])('takes whole numbers of tokens only, not %d', (tokens) => {
    const lease = { userId: 'u', month: '2026-01', requestId: 'r', tokens, leaseUntilMs: LEASE_MS };
    const decide = () => decideLease({ usedTokens: 0, leases: new Map() }, lease, { maxTokens: MAX, nowMs: 0 });
    expect(decide).toThrow(new RangeError(`not a number of tokens: ${tokens}`));
  });
});

it.each([
  ['is given back for a run that does not come about', true, []],
  [
    'is a warning in the log, and nothing else, when it cannot be given back',
    false,
    [{ severity: 'WARNING', message: 'lease not returned', requestId: 'run-1', cause: 'Error: the store is away' }],
  ],
])('the lease of a run %s', async (_, isUp, warnings) => {
  const [clock, lines, asked] = [fakeClock(), [] as string[], [] as number[]];
  const log = createLog('debug', (line) => lines.push(line));
  const store = {
    leaseGrant: async ({ tokens }: { readonly tokens: number }) => {
      asked.push(tokens);
      if (tokens === 0 && !isUp) throw new Error('the store is away');
      return { granted: true, usedTokens: 0, leasedTokens: tokens };
    },
    readGrant: async () => ({ usedTokens: 0, leasedTokens: 0 }),
  };
  const run = { id: 'run-1', userId: 'uma', startedAtMs: clock.nowMs() };
  const lease = await leaseForRun({ store, clock, log }, run, 1_600);
  if (!lease || isRefusal(lease)) throw new Error('no lease');
  await lease.giveBack();
  expect([asked, lines.map((line) => JSON.parse(line))]).toEqual([[1_600, 0], warnings]);
});
