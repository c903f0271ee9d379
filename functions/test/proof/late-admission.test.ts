import { answerOf } from '../../src/access/guard';
import { createLimiter } from '../../src/access/limiter';
import type { LedgerStore } from '../../src/ledger/ledger-store';
import { sweepExpired } from '../../src/ledger/sweep';
import { ByteBudget } from '../../src/lib/byte-budget';
import { FairSlots } from '../../src/lib/fair-slots';
import { createLog } from '../../src/lib/log';
import { Turns } from '../../src/lib/turns';
import { createCatalog } from '../../src/models/catalog';
import { admit, LEASE_MS } from '../../src/runs/admit';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import { interceptFirestore } from '../contract/firestore-calls';
import { fakeClock } from '../support/fake-clock';
import { describeWithFirestore } from '../support/firestore-emulator';
import { NO_TRACE, outputBounds } from '../support/request-scope';
import { rateLimit, T0 } from '../support/store-records';
import { until } from '../support/until';

const ADMISSION_BUDGET_MS = 5_000;
const CALLER = { userId: 'ada', keyId: 'key-1', keyName: 'laptop' };
/** A call that would be billed for its prompt if the sweep found it open. */
const CALL = { callId: 'r1.p1', seat: 'p1', purpose: 'draft', round: 1, promptTokens: 1_000 } as const;

describeWithFirestore('an admission whose commit lands after its time', (emulator) => {
  it('bills nothing for the calls it announced, which were never made', async () => {
    const clock = fakeClock(T0);
    const plain = openFirestoreStore({ projectId: emulator.newProject(), clock });
    await plain.findRecord('warm-up');
    let cleanUp: Promise<unknown> | undefined;
    const noted = <T>(work: Promise<T>): Promise<T> => {
      cleanUp = work;
      return work;
    };
    const store: LedgerStore = {
      ...plain,
      settle: (settlement) => noted(plain.settle(settlement)),
      abandon: (...asked) => noted(plain.abandon(...asked)),
    };
    const commit = Promise.withResolvers<void>();
    let late: Promise<unknown> | undefined;
    const stop = interceptFirestore((call, send) => {
      if (call.method !== 'commit' || late) return send();
      late = commit.promise.then(send);
      return late as Promise<unknown>;
    });
    const limiter = createLimiter(plain, rateLimit(30), clock);
    const limit = rateLimit(30);
    const deps = {
      store,
      clock,
      log: createLog('silent'),
      memory: new ByteBudget(2),
      guard: {
        admit: async (_: unknown, asked: Parameters<typeof limiter.admit>[0]) =>
          answerOf(await limiter.admit(asked), limit),
      },
      gateway: { call: () => Promise.reject(new Error('no call is to be made')) },
      modelOutput: outputBounds(0),
      heavyWork: new Turns(clock, () => 0),
      tellUnpriced: () => undefined,
      stopping: new AbortController().signal,
      openRuns: new FairSlots(30),
    };
    const request = {
      id: 'late',
      startedAtMs: T0,
      caller: CALLER,
      endpoint: 'chat.completions',
      clientGone: new AbortController().signal,
      trace: { ...NO_TRACE, callStarted: () => Promise.reject(new Error('no call is to be made')) as never },
    };
    const announced = { ...CALL, model: createCatalog().modelOf('gpt-4o-mini') };
    const opened = {
      firstWave: [announced],
      about: { model: announced.model.id, strategy: 'test' },
      modelIds: new Set([announced.model.id]),
      heldBytes: 1,
      timeLimitMs: 525_000,
      play: () => Promise.reject(new Error('not admitted')),
    };

    const admission = admit(deps, request, opened).catch((error: unknown) => error);
    await until(() => late !== undefined);
    await clock.advance(ADMISSION_BUDGET_MS);
    expect(await admission).toMatchObject({ code: 'store_unavailable' });
    await cleanUp;
    commit.resolve();
    await Promise.allSettled([late]);
    await clock.advance(LEASE_MS + 1);
    await sweepExpired({ store: plain, clock: clock });
    stop();

    expect(await plain.readMonths('ada', ['2026-03'])).toMatchObject([{ promptTokens: 0, costNanoUsd: 0, models: [] }]);
    expect(await plain.findRecord('late')).toMatchObject({ state: 'settled', calls: [] });
    await plain.close();
  });
});
