import { join } from 'node:path';
import { monthOf } from '../../src/ledger/month';
import { sweepExpired } from '../../src/ledger/sweep';
import { fakeClock } from '../support/fake-clock';
import { grantLease } from '../support/store-records';
import { workerPool } from '../support/worker-pool';
import { describeOnBothStores, type SharedStore } from './both-stores';

const GRANT = 300_000;
const PROCESSES = 4;
const RUNS = 50;
/** Usual tokens of a run: four prompts of 3,004 and 200 of our words, four replies of 770, three of which are read. */
const LEASE = 4 * (3_204 + 770) + 3 * 770;
const LEASE_MS = 660_000;

/** Proves the grant on one store. */
function proveGrant(open: () => Promise<SharedStore>): void {
  const pool = workerPool(join(__dirname, 'playground-worker.ts'));
  let setting: SharedStore;
  beforeEach(async () => {
    setting = await open();
    await setting.store.putSubscription({ userId: 'uma', tier: 'byok', status: 'active', sourceUpdatedAtMs: 1 });
  });
  afterEach(() => setting.close());

  const start = async () => {
    const worker = pool.start(setting.kind, setting.where);
    await worker.printed(1);
    return worker;
  };
  const nowMs = Date.now();
  const of = { userId: 'uma', month: monthOf(nowMs) };

  it(`${RUNS} runs at once over ${PROCESSES} processes exceed the grant by no more than the calls under way brought`, async () => {
    const workers = await Promise.all(Array.from({ length: PROCESSES }, start));
    const shares = workers.map((_, index) => Math.floor((RUNS + index) / PROCESSES));
    for (const [index, worker] of workers.entries()) {
      for (let run = 0; run < (shares[index] ?? 0); run += 1) worker.send(`run uma p${index}-${run}`);
    }
    await Promise.all(workers.map((worker, index) => worker.printed(1 + (shares[index] ?? 0))));

    const words = workers.flatMap(({ lines }) => lines.slice(1)).map((line) => line.split(' '));
    const refused = words.filter(([, outcome]) => outcome === 'grant_used_up');
    const admitted = words.filter(([, outcome]) => outcome === 'ok' || outcome === 'failed');
    expect([refused.length + admitted.length, refused.length > 0]).toEqual([RUNS, true]);
    // At least as many as fit when each takes its longer replies, at most as many as fit when none gets to its answer.
    expect(admitted.length).toBeGreaterThanOrEqual(Math.floor(GRANT / (LEASE + 4 * 600)));
    expect(admitted.length).toBeLessThanOrEqual(Math.ceil(GRANT / (3 * 4_200)));
    const consumed = admitted.reduce((sum, [, , tokens]) => sum + Number(tokens), 0);
    expect(await setting.store.readGrant(of, Date.now())).toEqual({ usedTokens: consumed, leasedTokens: 0 });
    const [month] = await setting.store.readMonths('uma', [of.month]);
    expect((month?.promptTokens ?? 0) + (month?.completionTokens ?? 0)).toBe(consumed);
    // Each reply was 600 tokens longer than thought; nothing else could go over.
    expect(consumed).toBeLessThanOrEqual(GRANT + admitted.length * 4 * 600);
    expect(consumed).toBeGreaterThan(GRANT * 0.8);
  });

  it('a run whose process is killed gives back by itself what it had leased; the sweep counts what it had begun', async () => {
    const worker = await start();
    worker.send('hang uma the-run');
    await worker.printed(4);
    worker.kill();
    await worker.ended;

    const { store } = setting;
    const { leaseUntilMs = 0, startedAtMs = 0 } = (await store.findRecord('the-run')) ?? {};
    expect(leaseUntilMs - startedAtMs).toBe(LEASE_MS);
    expect(await store.readGrant(of, leaseUntilMs - 1)).toEqual({ usedTokens: 0, leasedTokens: LEASE });
    const whole = { ...of, leaseUntilMs: leaseUntilMs + LEASE_MS };
    const early = await store.leaseGrant(grantLease('next', GRANT, whole), GRANT, leaseUntilMs - 1);
    expect(early).toEqual({ granted: false, usedTokens: 0, leasedTokens: LEASE });
    const later = await store.leaseGrant(grantLease('next', GRANT, whole), GRANT, leaseUntilMs);
    expect(later).toEqual({ granted: true, usedTokens: 0, leasedTokens: GRANT });

    expect(await sweepExpired({ store: store, clock: fakeClock(leaseUntilMs + 1) })).toBe(1);
    // Its three prompts, of 3,000 tokens and four each for the wrapping.
    expect(await store.readGrant(of, leaseUntilMs)).toEqual({ usedTokens: 3 * 3_004, leasedTokens: GRANT });
  });
}

describeOnBothStores('the token grant', proveGrant);
