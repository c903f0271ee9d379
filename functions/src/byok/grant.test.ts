import { fakeClock } from '../../test/support/fake-clock';
import fc from '../../test/support/properties';
import { scopeOf } from '../../test/support/request-scope';
import { textOfTokens } from '../../test/support/text-of-tokens';
import { isRefusal } from '../errors';
import { createLog } from '../lib/log';
import { createCatalog } from '../models/catalog';
import { failedCall, type GatewayCall, type ModelGateway, newMeter } from '../models/gateway/gateway-call';
import type { GrantLease, GrantStore } from './byok-store';
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

const MODEL = createCatalog().modelOf('demo-ada');
const NEVER = new AbortController().signal;
/** Tokens of a prompt of 1,000 and a reply of 600. */
const ESTIMATE = 1_600;

/** A user's grant of this month, and a run that wants some of it. */
function scene({ usedTokens = 0, othersTokens = 0, estimate = ESTIMATE } = {}) {
  const clock = fakeClock();
  const startedAtMs = clock.nowMs();
  const others = { tokens: othersTokens, untilMs: startedAtMs + 1_000_000 };
  let grant: Grant = { usedTokens, leases: new Map([['another', others]]) };
  const asked: GrantLease[] = [];
  const lines: string[] = [];
  const store: GrantStore = {
    leaseGrant: async (lease, maxTokens, nowMs) => {
      asked.push(lease);
      const { decision, leases } = decideLease(grant, lease, { maxTokens, nowMs });
      if (leases) grant = { ...grant, leases };
      return decision;
    },
    readGrant: async (_, nowMs) => grantState(grant, nowMs),
  };
  const leased = () => grantState(grant, clock.nowMs()).leasedTokens;
  const log = createLog('debug', (line) => lines.push(line));
  const run = { id: 'run-1', userId: 'uma', startedAtMs, clientGone: NEVER };
  const lease = (of: GrantStore = store) => leaseForRun({ store: of, clock, log, stopping: NEVER }, run, estimate);
  return { store, asked, lines, leased, lease, startedAtMs };
}

/** The grant that must be there. */
async function granted(lease: ReturnType<typeof leaseForRun>) {
  const grant = await lease;
  if (!grant || isRefusal(grant)) throw new Error('no grant');
  return grant;
}

/** A gateway that remembers how much each call may write, and whose calls say so many characters and fail. */
function gatewayOf(characters = 0) {
  const outputTokensMax: (number | undefined)[] = [];
  const gateway: ModelGateway = {
    call: async (call) => {
      outputTokensMax.push(call.outputTokensMax);
      const { meter } = await call.openAttempt(1);
      Object.assign(meter, { characters, tokens: characters / 4 });
      return characters > 0
        ? { ok: true, text: 'x'.repeat(characters), finishReason: 'stop' }
        : failedCall('overloaded');
    },
  };
  return { gateway, outputTokensMax };
}

/** A call of 1,000 tokens and the 4 of its turn. */
const CALL: GatewayCall = {
  scope: scopeOf('run-1'),
  model: MODEL,
  prompt: { turns: [{ role: 'user', text: textOfTokens(1_000) }] },
  purpose: 'answer',
  signal: NEVER,
  budgetMs: 1_000,
  openAttempt: () => ({ meter: newMeter(), close: () => undefined, cancel: () => undefined }),
};

describe('the lease of a run', () => {
  it('is given back for a run that does not come about', async () => {
    const { lease, leased, lines } = scene({ othersTokens: 5 });
    await (await granted(lease())).giveBack();
    expect([leased(), lines]).toEqual([5, []]);
  });

  it('is a warning in the log, and nothing else, when it cannot be given back', async () => {
    const { store, lease, lines } = scene();
    const leaseGrant: GrantStore['leaseGrant'] = (terms, ...rest) =>
      terms.tokens === 0 ? Promise.reject(new Error('the store is away')) : store.leaseGrant(terms, ...rest);
    await (await granted(lease({ ...store, leaseGrant }))).giveBack();
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        severity: 'WARNING',
        message: 'lease not returned',
        requestId: 'run-1',
        cause: 'Error: the store is away',
      },
    ]);
  });

  it('lets a call write what is left of the grant for this run, whatever others have set aside', async () => {
    const { lease } = scene({ usedTokens: 200_000, othersTokens: 96_000 });
    const { gateway, outputTokensMax } = gatewayOf();
    await (await granted(lease())).within(gateway).call(CALL);
    // Of 300,000 there are 4,000 for this run, its own lease among them, less a prompt of 1,004.
    expect(outputTokensMax).toEqual([2_996]);
  });
});
