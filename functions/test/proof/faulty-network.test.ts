import type { Firestore } from '@google-cloud/firestore';
import { createLimiter, type Limiter } from '../../src/access/limiter';
import type { LedgerRecord } from '../../src/ledger/ledger-store';
import { sweepExpired } from '../../src/ledger/sweep';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import { fakeClock } from '../support/fake-clock';
import { describeWithFirestore, rawFirestore } from '../support/firestore-emulator';
import { isLongMode } from '../support/long-mode';
import { callRow, openRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import { allRecords, expectMonthToMatch } from './audit';
import { type FirestoreProxy, type ProxyFault, startFirestoreProxy } from './firestore-proxy';
import { type SeededRandom, seededRandom, withSeed } from './seeded-random';

const AFTER_LEASE = T0 + 660_001;
/** For slow machines. */
const PATIENCE_MS = 300_000;
const AT_A_TIME = 40;
const STORES = 4;
const USERS = isLongMode ? 25 : 10;
const REQUESTS_EACH = 80;
const REQUESTS = USERS * REQUESTS_EACH;
/** Below the requests of each user, so that the limiter is under fire too. */
const LIMIT = rateLimit(60);
const BUDGETS_MS = { admit: 5_000, checkpoint: 5_000, settle: 10_000 } as const;
const GRACE_MS = 2_000;

/** Number of calls among 10,000 that meet each fault. */
const FAULTS: readonly [ProxyFault, number][] = [
  ['lost', 400],
  ['reset', 100],
  [14, 300], // UNAVAILABLE
  [4, 200], // DEADLINE_EXCEEDED
  [10, 200], // ABORTED
  ['stall', 40],
];

/** Ending of a request for its caller. `unknown`: its admission ended in an error. */
type Ending = 'denied' | 'settled' | 'unsettled' | 'unknown';

describeWithFirestore('a network that loses, refuses and delays calls', (emulator) => {
  const random = seededRandom();
  const met = new Map<ProxyFault, number>();
  let projectId: string;
  let proxy: FirestoreProxy;
  let stores: Store[];
  let direct: Store;
  let raw: Firestore;
  let disturbed = false;
  beforeAll(async () => {
    projectId = emulator.newProject();
    direct = openFirestoreStore({ projectId });
    raw = rawFirestore(projectId);
    await direct.findRecord('warm-up');
    const host = process.env['FIRESTORE_EMULATOR_HOST'] ?? '';
    proxy = await startFirestoreProxy(host, () => (disturbed ? drawFault() : undefined));
    process.env['FIRESTORE_EMULATOR_HOST'] = proxy.host;
    stores = Array.from({ length: STORES }, () => openFirestoreStore({ projectId }));
    // The SDK reads the variable once, with the first operation.
    await Promise.all(stores.map((store) => store.findRecord('warm-up')));
    process.env['FIRESTORE_EMULATOR_HOST'] = host;
  });
  afterAll(async () => {
    await Promise.all([...stores, direct].map((store) => store.close()));
    await raw.terminate();
    await proxy.close();
  });

  const drawFault = (): ProxyFault | undefined => {
    let draw = random.below(10_000);
    for (const [fault, share] of FAULTS) {
      if (draw < share) {
        met.set(fault, (met.get(fault) ?? 0) + 1);
        return fault;
      }
      draw -= share;
    }
    return undefined;
  };
  const loggedIds = async (userId: string): Promise<string[]> => {
    const log: { r: string }[] = (await raw.doc(`rateLimits/${userId}__api`).get()).get('log');
    return log.map(({ r }) => r);
  };

  it(
    `makes ${REQUESTS} requests neither counted twice nor lost, and none lasts longer than it may`,
    async () => {
      await withSeed(random, async () => {
        const late: string[] = [];
        const processes = stores.map((store) => processOf(store, late));
        const endings = new Map<string, Ending>();
        disturbed = true;
        await runAll(random, async (requestId, userId) => {
          const process = processes[random.below(STORES)] as Process;
          endings.set(requestId, await runRequest(process, { requestId, userId }));
        });
        disturbed = false;
        await proxy.idle();
        expect(late).toEqual([]);
        expect([...met.keys()].sort()).toEqual(FAULTS.map(([fault]) => fault).sort());

        await sweepExpired({ store: direct, clock: fakeClock(AFTER_LEASE) });
        const records = await allRecords(raw, direct);
        expectEndings(records, endings);
        for (let user = 0; user < USERS; user += 1) {
          const userId = `u${user}`;
          const logged = await loggedIds(userId);
          expect(logged).toHaveLength(LIMIT.max);
          expect(new Set(logged)).toEqual(new Set(records.filter((r) => r.userId === userId).map((r) => r.requestId)));
          await expectMonthToMatch(direct, records, { userId, month: '2026-03' });
        }
      });
    },
    PATIENCE_MS,
  );
});

interface Process {
  readonly store: Store;
  readonly limiter: Limiter;
}

/** One process's limiter and store; what outlives its deadline by more than two seconds is noted in `late`. */
function processOf(store: Store, late: string[]): Process {
  const timed = async <T>(name: keyof typeof BUDGETS_MS, work: Promise<T>): Promise<T> => {
    const startMs = performance.now();
    try {
      return await work;
    } finally {
      const tookMs = performance.now() - startMs;
      if (tookMs > BUDGETS_MS[name] + GRACE_MS) late.push(`${name} took ${Math.round(tookMs)} ms`);
    }
  };
  const watched: Store = {
    ...store,
    admit: (...asked) => timed('admit', store.admit(...asked)),
    checkpoint: (...asked) => timed('checkpoint', store.checkpoint(...asked)),
    settle: (asked) => timed('settle', store.settle(asked)),
  };
  return { store: watched, limiter: createLimiter(watched, LIMIT, fakeClock(T0)) };
}

/** Starts all requests in order, so many at a time. */
async function runAll(random: SeededRandom, run: (requestId: string, userId: string) => Promise<void>): Promise<void> {
  const order = Array.from({ length: REQUESTS }, (_, index) => ({ index, place: random.below(REQUESTS) }));
  const queue = order.sort((a, b) => a.place - b.place).values();
  const lane = async (): Promise<void> => {
    for (const { index } of queue) await run(`r${index}`, `u${index % USERS}`);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
}

async function runRequest(
  { store, limiter }: Process,
  { requestId, userId }: { requestId: string; userId: string },
): Promise<Ending> {
  const calls = [openRow('a', { costNanoUsd: 2 })];
  const asked = reservation(requestId, { userId, calls });
  const word = await limiter.admit(asked).catch(() => undefined);
  if (!word?.admitted) return word ? 'denied' : 'unknown';
  // As in the service: a checkpoint that failed costs precision after a crash, nothing else.
  await store.checkpoint(requestId, [callRow('a'), openRow('b', { modelId: 'model-b' })]).catch(() => {});
  const final = [callRow('a'), callRow('b', { modelId: 'model-b', costNanoUsd: 11 })];
  const settled = await store.settle(settlement(asked, final)).catch(() => 'failed');
  if (settled === 'already' || settled === 'missing') throw new Error(`${requestId} found itself ${settled}`);
  return settled === 'applied' ? 'settled' : 'unsettled';
}

/** Asserts that each reply holds: a denial left no trace, an admission and a settlement are in the ledger as such. */
function expectEndings(records: readonly LedgerRecord[], endings: ReadonlyMap<string, Ending>): void {
  const states = new Map(records.map(({ requestId, state }) => [requestId, state]));
  const broken = [...endings].filter(([requestId, ending]) => {
    const state = states.get(requestId);
    if (ending === 'denied') return state !== undefined;
    if (ending === 'settled') return state !== 'settled';
    return ending === 'unsettled' ? state === undefined || state === 'open' : state === 'open';
  });
  expect(broken).toEqual([]);
  expect(endings.size).toBe(REQUESTS);
  const admitted = [...endings.values()].filter((ending) => ending === 'settled' || ending === 'unsettled');
  expect(admitted.length).toBeGreaterThan(USERS * LIMIT.max * 0.9);
}
