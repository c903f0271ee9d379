import { type FleetPlan, playFleet } from '../../bench/fleet/fleet';
import { VirtualFirestore } from '../../bench/fleet/virtual-firestore';
import { VirtualTime } from '../../bench/fleet/virtual-time';

/** The simulation of a fleet: the same each time, and right where it can be worked out by hand. */

const ONE: FleetPlan = {
  ...{ seed: 1, instances: 1, users: 1, requestsPerSecond: 1, requests: 1, requestsAMinuteMax: 30 },
  ...{ readMs: [100], commitMs: [1_000] },
};

describe('a fleet', () => {
  it('is played the same with the same seed, and otherwise with another', async () => {
    const plan = {
      ...ONE,
      instances: 20,
      users: 5,
      requests: 40,
      requestsPerSecond: 20,
      readMs: [1, 2],
      commitMs: [2, 9],
    };
    const [first, again, other] = [await playFleet(plan), await playFleet(plan), await playFleet({ ...plan, seed: 2 })];
    expect(again).toEqual(first);
    expect(other.p99Ms).not.toBe(first.p99Ms);
  });

  it('needs three round trips for the first request of a user, and two after that', async () => {
    // Key; owner and log; commit: 100 + 100 + 1,000 ms and three ways there and back of 5 to 40 ms, up to a fifth longer.
    const first = await playFleet(ONE);
    expect(first).toMatchObject({ admitted: 1, denied: 0, failed: 0, unmet: 1 });
    expect(first.p50Ms).toBeGreaterThanOrEqual(1_200 + 3 * 5);
    expect(first.p50Ms).toBeLessThanOrEqual(1_200 + 3 * 48);
    // Of a user who is known, one read and one way less.
    const known = await playFleet({ ...ONE, areMet: true });
    expect(known).toMatchObject({ admitted: 1, unmet: 0, refusedCommits: 0 });
    expect(known.p50Ms).toBeGreaterThanOrEqual(1_100 + 2 * 5);
    expect(known.p50Ms).toBeLessThanOrEqual(1_100 + 2 * 48);
    // After the first an instance knows its user by itself.
    expect(await playFleet({ ...ONE, requests: 9, requestsPerSecond: 0.02 })).toMatchObject({ unmet: 1 / 9 });
  });

  it('lets in exactly as many as the limit says of one user who asks all instances at once', async () => {
    const burst = {
      ...ONE,
      instances: 20,
      requests: 60,
      requestsPerSecond: 'at once',
      readMs: [2],
      commitMs: [3],
    } as const;
    const figures = await playFleet(burst);
    expect(figures).toMatchObject({ admitted: 30, denied: 30, failed: 0 });
    // All have read the same log, and one commit at most is right about it.
    expect(figures.refusedCommits).toBeGreaterThanOrEqual(19 / 30);
  });

  it('fails what is not decided in five seconds', async () => {
    const figures = await playFleet({ ...ONE, commitMs: [6_000] });
    expect(figures).toMatchObject({ admitted: 0, failed: 1 });
    expect(figures.p50Ms).toBeGreaterThanOrEqual(5_000);
  });
});

describe('the database of the simulation', () => {
  it('takes one of two commits that rely on the same reading, one after the other', async () => {
    const time = new VirtualTime();
    const firestore = new VirtualFirestore(time);
    firestore.seed('counts/one', { n: 1 });
    const latencies = { wayMs: () => 5, readMs: () => 1, commitMs: () => 50 };
    const { db, FieldValue } = firestore.connect(latencies);
    const startedMs = time.nowMs;
    const ends: string[] = [];
    const add = async (name: string): Promise<void> => {
      const [read] = await db.getAll(db.doc('counts/one'));
      if (!read?.updateTime) throw new Error('there is no such document');
      const condition = { lastUpdateTime: read.updateTime };
      const adding = db.runTransaction(async (transaction) => {
        transaction.update(read.ref, { n: FieldValue.increment(1) }, condition);
      });
      const outcome = await adding.then(
        () => 'done',
        ({ code }: { code: number }) => `refused with ${code}`,
      );
      ends.push(`${name} ${outcome} after ${time.nowMs - startedMs} ms`);
    };
    void add('first');
    void add('second');
    await time.play();
    // A read takes 11 ms, a commit 60; the second is at the document only after the first, and is told in 1 ms.
    expect(ends).toEqual(['first done after 71 ms', 'second refused with 9 after 72 ms']);
    expect([firestore.writesOf('counts/one'), firestore.refused]).toEqual([1, 1]);
  });
});
