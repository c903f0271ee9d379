import type { KeptMax, KeptRun, PartKind, RunPart } from '../../src/runs/run-store';
import { keptMax, keptRun, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

/** `RunStore`. */
export function runContract(current: CurrentStore): void {
  const of = (runId: string, userId = 'ada') => ({ userId, runId });
  const bytes = (count: number, seed = 7): Uint8Array =>
    Uint8Array.from({ length: count }, (_, at) => (at * seed) % 251);
  const batch = (from: number, to: number, count = 10): RunPart => ({ from, to, bytes: bytes(count, to) });
  const create = (run: KeptRun, max: Partial<KeptMax> = {}) => current().createRun(run, bytes(50), keptMax(max));
  const write = (runId: string, events?: RunPart, change: Partial<KeptRun> = {}) =>
    current().writeRun(keptRun(runId, { eventCount: events?.to ?? 0, ...change }), events);
  const part = async (runId: string, kind: PartKind, place = 0) => {
    const found = await current().readPart(of(runId), kind, place);
    return found && { ...found, bytes: Buffer.from(found.bytes) };
  };
  const add = (runId: string, count: number, max: Partial<KeptMax> = {}) =>
    current().addEvaluation(of(runId), bytes(count), keptMax(max));
  const ids = async (page: Parameters<ReturnType<CurrentStore>['listRuns']>[1], userId = 'ada') =>
    (await current().listRuns(userId, page)).map(({ runId }) => runId);

  it('finds a run as it was kept, with its request, and only for its user', async () => {
    await create(keptRun('a'));
    expect(await current().findRun(of('a'))).toEqual(keptRun('a'));
    expect(await part('a', 'request')).toEqual({ from: 0, to: 1, bytes: Buffer.from(bytes(50)) });
    for (const stranger of [of('a', 'eve'), of('b')]) {
      expect(await current().findRun(stranger)).toBeUndefined();
      for (const kind of ['request', 'events', 'evaluation'] as const) {
        expect(await current().readPart(stranger, kind, 0)).toBeUndefined();
      }
      expect(await current().writeRun(keptRun('-', stranger))).toBe('deleted');
      expect(await current().addEvaluation(stranger, bytes(3), keptMax())).toBe(false);
      expect(await current().deleteRuns(stranger.userId, stranger.runId)).toBe(0);
      await current().requestStop(stranger);
    }
    expect(await current().findRun(of('a'))).toEqual(keptRun('a'));
  });

  it('replaces the progress with every write, and says why a run failed', async () => {
    await create(keptRun('a'));
    const sums = { promptTokens: 7, completionTokens: 8, costNanoUsd: 9, calls: 2, durationMs: 4_321 };
    const ended = { state: 'failed', message: 'No model answered', leaseUntilMs: T0 + 9 } as const;
    expect(await write('a', batch(0, 3), { ...sums, ...ended })).toBe('ok');
    expect(await current().findRun(of('a'))).toEqual({ ...keptRun('a'), ...sums, ...ended, eventCount: 3 });
  });

  it('gives back the events that hold a place', async () => {
    await create(keptRun('a'));
    await create(keptRun('b'));
    const parts = [batch(0, 3), batch(3, 4), batch(4, 12)];
    for (const one of parts) await write('a', one);
    await write('b', batch(0, 1));
    const wanted = parts.map((one) => ({ ...one, bytes: Buffer.from(one.bytes) }));
    const found = await Promise.all([0, 2, 3, 11, 12].map((place) => part('a', 'events', place)));
    expect(found).toEqual([wanted[0], wanted[0], wanted[1], wanted[2], undefined]);
  });

  it('keeps batches, requests and evaluations of several megabytes, and reads many batches in turn', async () => {
    await current().createRun(keptRun('a'), bytes(3_000_000), keptMax());
    expect((await part('a', 'request'))?.bytes.equals(bytes(3_000_000))).toBe(true);
    await add('a', 1_500_000);
    expect((await part('a', 'evaluation'))?.bytes.equals(bytes(1_500_000))).toBe(true);
    const sizes = [2_500_000, 10, 6_000_000, ...Array(30).fill(20)];
    for (const [at, size] of sizes.entries()) {
      await write('a', batch(at, at + 1, size));
    }
    for (const [from, size] of sizes.entries()) {
      const found = await part('a', 'events', from);
      expect([found?.from, found?.to, found?.bytes.equals(bytes(size, from + 1))]).toEqual([from, from + 1, true]);
    }
  });

  it('tells the process of a run that it is to be stopped, with every write from then on', async () => {
    await create(keptRun('a'));
    expect(await write('a')).toBe('ok');
    await current().requestStop(of('a'));
    expect(await write('a')).toBe('stop requested');
    expect(await current().findRun(of('a'))).toMatchObject({ stopRequested: true, state: 'running' });
  });

  it('lists the runs of a user newest first, in pages that neither repeat nor leave out one of the same moment', async () => {
    const starts = { a: 1, b: 3, c: 2, d: 2, e: 2 };
    for (const [id, at] of Object.entries(starts)) await create(keptRun(id, { startedAtMs: T0 + at }));
    await create(keptRun('x', { userId: 'eve', startedAtMs: T0 + 9 }));
    expect(await current().listRuns('ada', { max: 1 })).toEqual([keptRun('b', { startedAtMs: T0 + 3 })]);
    expect(await ids({ max: 9 })).toEqual(['b', 'e', 'd', 'c', 'a']);
    expect(await ids({ max: 2, before: { startedAtMs: T0 + 3, runId: 'b' } })).toEqual(['e', 'd']);
    expect(await ids({ max: 2, before: { startedAtMs: T0 + 2, runId: 'd' } })).toEqual(['c', 'a']);
    expect(await ids({ max: 2, before: { startedAtMs: T0 + 1, runId: 'a' } })).toEqual([]);
  });

  it('deletes a run with all that belongs to it: nothing comes back with another of its name', async () => {
    await create(keptRun('a'));
    await create(keptRun('b'));
    await write('a', batch(0, 3));
    await add('a', 3);
    expect(await current().deleteRuns('ada', 'a')).toBe(1);
    expect(await current().deleteRuns('ada', 'a')).toBe(0);
    expect(await current().findRun(of('a'))).toBeUndefined();
    expect(await part('a', 'request')).toBeUndefined();
    expect(await write('a', batch(3, 5))).toBe('deleted');
    expect(await ids({ max: 9 })).toEqual(['b']);
    await create(keptRun('a'));
    expect(await part('a', 'events')).toBeUndefined();
    expect(await current().findRun(of('a'))).toMatchObject({ evaluationCount: 0 });
  });

  it('deletes all runs of a user, and of nobody else, in as many steps as it takes', async () => {
    const many = Array.from({ length: 25 }, (_, at) => `run-${at}`);
    await Promise.all(many.map((id) => create(keptRun(id))));
    await create(keptRun('x', { userId: 'eve' }));
    await write('run-3', batch(0, 3));
    let deleted = 0;
    for (let some = 1; some > 0; deleted += some) some = await current().deleteRuns('ada');
    expect(deleted).toBe(25);
    expect(await ids({ max: 99 })).toEqual([]);
    expect(await part('run-3', 'events')).toBeUndefined();
    expect(await ids({ max: 9 }, 'eve')).toEqual(['x']);
  });

  it('deletes the oldest of a user’s runs beyond the bytes of all their requests, events and evaluations', async () => {
    await create(keptRun('x', { userId: 'eve' }));
    for (const at of [1, 2, 3]) await create(keptRun(`r${at}`, { startedAtMs: T0 + at }));
    await write('r1', batch(0, 1, 100));
    await add('r2', 100, { bytes: 350 });
    // 150 + 150 + 50 bytes; then 50 more, and in the end 50 + 50 + 300.
    expect(await ids({ max: 9 })).toEqual(['r3', 'r2', 'r1']);
    await create(keptRun('r4', { startedAtMs: T0 + 4 }), { bytes: 350 });
    expect(await ids({ max: 9 })).toEqual(['r4', 'r3', 'r2']);
    expect(await part('r1', 'events')).toBeUndefined();
    await add('r2', 150, { bytes: 350 });
    expect(await ids({ max: 9 })).toEqual(['r4', 'r2']);
    expect(await ids({ max: 9 }, 'eve')).toEqual(['x']);
  });

  it('keeps runs that are under way, and the one that begins, whatever the bounds', async () => {
    const nowMs = T0 + 29_999;
    await create(keptRun('r1', { startedAtMs: T0 + 1 }));
    await create(keptRun('r2', { startedAtMs: T0 + 2, state: 'complete' }));
    await create(keptRun('r3', { startedAtMs: T0 + 3, state: 'complete' }), { bytes: 1, nowMs });
    expect(await ids({ max: 9 })).toEqual(['r3', 'r1']);
    await create(keptRun('r4', { startedAtMs: T0 + 4 }), { runs: 1, nowMs: nowMs + 1 });
    expect(await ids({ max: 9 })).toEqual(['r4']);
  });

  it('finds the runs of a conversation, of its user alone', async () => {
    await create(keptRun('a', { thread: 'a' }));
    await create(keptRun('b', { thread: 'a', after: 'a' }));
    await create(keptRun('c', { thread: 'c' }));
    await create(keptRun('d'));
    await create(keptRun('e', { userId: 'eve', thread: 'a' }));
    const found = await current().listThread('ada', 'a', 9);
    expect(found.sort((one, other) => one.runId.localeCompare(other.runId))).toEqual([
      keptRun('a', { thread: 'a' }),
      keptRun('b', { thread: 'a', after: 'a' }),
    ]);
    expect(await current().listThread('ada', 'a', 1)).toHaveLength(1);
    expect(await current().listThread('ada', 'x', 9)).toEqual([]);
  });

  it('keeps the newest rating with a run whose progress is written, until it is removed', async () => {
    await create(keptRun('a'));
    const rate = (rating: KeptRun['rating'], userId = 'ada') => current().rateRun(of('a', userId), rating);
    const rated = async () => (await current().findRun(of('a')))?.rating;
    expect(await rate({ answer: 'bad', words: 'Too long.' })).toBe(true);
    expect(await rated()).toEqual({ answer: 'bad', words: 'Too long.' });
    expect(await rate({ better: 'p2' })).toBe(true);
    await write('a', batch(0, 3));
    expect(await rate({ answer: 'good' }, 'eve')).toBe(false);
    expect(await rated()).toEqual({ better: 'p2' });
    expect(await rate(undefined)).toBe(true);
    expect(await current().findRun(of('a'))).toEqual(keptRun('a', { eventCount: 3 }));
  });

  it('finds a shared run under one hash at a time, until that is ended or the run deleted', async () => {
    await create(keptRun('a'));
    const share = (hash?: string, userId = 'ada') => current().shareRun(of('a', userId), hash);
    const found = async (hash: string) => (await current().findShared(hash))?.runId;
    expect(await share('1a', 'eve')).toBe(false);
    expect(await share('1a')).toBe(true);
    await write('a', batch(0, 3));
    expect(await current().findShared('1a')).toEqual(keptRun('a', { eventCount: 3, share: '1a' }));
    expect(await share('2b')).toBe(true);
    expect([await found('1a'), await found('2b'), await found('3c')]).toEqual([undefined, 'a', undefined]);
    expect(await share()).toBe(true);
    expect(await found('2b')).toBeUndefined();
    expect(await current().findRun(of('a'))).toEqual(keptRun('a', { eventCount: 3 }));
    await share('4d');
    await current().deleteRuns('ada', 'a');
    await create(keptRun('a'));
    expect(await found('4d')).toBeUndefined();
  });

  it('keeps and counts evaluations with a run in their order, up to a bound', async () => {
    await create(keptRun('a'));
    const most = { evaluations: 2 };
    expect([await add('a', 3, most), await add('a', 4, most), await add('a', 5, most)]).toEqual([true, true, false]);
    expect(await current().findRun(of('a'))).toMatchObject({ evaluationCount: 2 });
    const kept = await Promise.all([0, 1, 2].map((place) => part('a', 'evaluation', place)));
    expect(kept.map((one) => one?.bytes)).toEqual([Buffer.from(bytes(3)), Buffer.from(bytes(4)), undefined]);
  });
}
