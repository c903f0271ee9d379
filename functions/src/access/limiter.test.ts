import { fakeClock } from '../../test/support/fake-clock';
import { createLimiter, RequestBucket } from './limiter';
import {
  type Admission,
  type AdmissionRequest,
  type AdmissionStore,
  admitAll,
  type LogEntry,
  type RateLimit,
} from './rate-limit';

const LIMIT: RateLimit = { name: 'api', max: 3, windowMs: 60_000 };

/** A store that keeps one log a user in memory and answers when it is told to; every commit's size is recorded. */
function slowStore() {
  const logs = new Map<string, LogEntry[]>();
  const commits: number[] = [];
  const waiting: (() => void)[] = [];
  const store: AdmissionStore = {
    admit: async (limit, reservations, nowMs): Promise<Admission[]> => {
      commits.push(reservations.length);
      await new Promise<void>((resolve) => waiting.push(resolve));
      const userId = reservations[0]?.userId ?? '';
      const { log, admissions } = admitAll(logs.get(userId) ?? [], reservations, { limit, nowMs });
      logs.set(userId, log);
      return admissions;
    },
  };
  const answer = async (): Promise<void> => {
    waiting.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { store, commits, answer };
}

function reservation(requestId: string, userId = 'alice'): AdmissionRequest {
  const times = { startedAtMs: 0, leaseUntilMs: 0, month: '2026-01' };
  return { requestId, userId, keyId: 'k', keyName: 'k', endpoint: 'e', calls: [], ...times };
}

describe('the limiter of one process', () => {
  it('decides requests that wait together in one commit, in order', async () => {
    const { store, commits, answer } = slowStore();
    const limiter = createLimiter(store, LIMIT, fakeClock());
    const admissions = Promise.all(['a', 'b', 'c', 'd'].map((id) => limiter.admit(reservation(id))));
    await answer();
    await answer();
    expect((await admissions).map(({ admitted }) => admitted)).toEqual([true, true, true, false]);
    expect(commits).toEqual([1, 3]);
  });

  it('refuses a blocked key from memory, and asks the store for the other keys of its user', async () => {
    const { store, commits, answer } = slowStore();
    const limiter = createLimiter(store, LIMIT, fakeClock());
    const ask = async (requestId: string, keyId: string): Promise<Admission> => {
      const admission = limiter.admit({ ...reservation(requestId), keyId, keyMax: 1 });
      await answer();
      return admission;
    };
    expect(await ask('a', 'slow')).toMatchObject({ admitted: true });
    const denied = { admitted: false, waitMs: 60_000 };
    expect(await ask('b', 'slow')).toEqual({ ...denied, ofKey: true });
    expect(await ask('c', 'slow')).toEqual(denied);
    expect(commits).toHaveLength(2);
    expect(await ask('d', 'other')).toMatchObject({ admitted: true });
    expect(await ask('e', 'slow')).toEqual(denied);
    expect(commits).toHaveLength(3);
  });

  it('fails closed: when the store fails, so do the waiting requests, and the next one is asked afresh', async () => {
    const { store, answer } = slowStore();
    let broken = true;
    const limiter = createLimiter(
      { admit: (...args) => (broken ? Promise.reject(new Error('store down')) : store.admit(...args)) },
      LIMIT,
      fakeClock(),
    );
    await expect(limiter.admit(reservation('a'))).rejects.toThrow('store down');
    broken = false;
    const again = limiter.admit(reservation('b'));
    await answer();
    expect(await again).toMatchObject({ admitted: true });
  });
});

/** The bucket of a process; `take` takes so many requests out of a user's, `wait` is the `Retry-After` of the next. */
function bucketOf() {
  const clock = fakeClock();
  const bucket = new RequestBucket(clock);
  const take = (count: number, userId = 'ada') => {
    for (let taken = 0; taken < count; taken += 1) bucket.take(userId);
  };
  const wait = (userId = 'ada') => bucket.refusal(userId)?.headers?.['retry-after'];
  return { clock, bucket, take, wait };
}

describe('the bucket of a user', () => {
  it('owes what was taken beyond it by requests that came together, for a minute at most', () => {
    const { take, wait } = bucketOf();
    take(129);
    // Ten have to come back.
    expect(wait()).toBe('5');
    take(1);
    expect(wait()).toBe('6');
    take(200);
    expect(wait()).toBe('60');
  });
});
