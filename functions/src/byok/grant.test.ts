import fc from '../../test/support/properties';
import { decideLease, type Grant, grantState } from './grant';

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
