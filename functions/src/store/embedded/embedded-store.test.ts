import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fakeClock } from '../../../test/support/fake-clock';
import {
  keptMax,
  keptRun,
  keyRecord,
  openRow,
  rateLimit,
  reservation,
  settlement,
  T0,
} from '../../../test/support/store-records';
import { temporaryDirectory } from '../../../test/support/temporary-directory';
import { until } from '../../../test/support/until';
import type { Store } from '../store';
import { openEmbeddedStore } from './embedded-store';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('openEmbeddedStore', () => {
  let directory: string;
  let remove: () => Promise<void>;
  const opened: Store[] = [];
  const open = (options: Partial<Parameters<typeof openEmbeddedStore>[0]> = {}): Store => {
    const store = openEmbeddedStore({ directory, ...options });
    opened.push(store);
    return store;
  };
  beforeEach(async () => {
    ({ path: directory, remove } = await temporaryDirectory());
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await remove();
  });

  it('creates the directory with its parents, readable by its owner only', async () => {
    directory = join(directory, 'a', 'b');
    open();
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await modeOf(directory)).toBe(0o700);
    expect(await modeOf(join(directory, 'ensemble.db'))).toBe(0o600);
    expect(await modeOf(join(directory, 'ensemble.db-wal'))).toBe(0o600);
  });

  it.each([30_000, 120_000, 3_600_000])(
    'frees a slot when its window is over, also where the clock was set back by %d ms meanwhile',
    async (byMs) => {
      const clock = fakeClock(T0);
      const store = open({ clock });
      const ask = async (id: string) => (await store.admit(rateLimit(1), [reservation(id)], clock.nowMs()))[0];
      await ask('first');
      clock.setBack(byMs);
      await clock.advance(59_999);
      expect(await ask('early')).toEqual({ admitted: false, waitMs: 1 });
      await clock.advance(1);
      expect(await ask('in time')).toMatchObject({ admitted: true, resetMs: 60_000 });
    },
  );

  it('tells what was spent while another process holds the write lock', async () => {
    const store = open();
    await store.admit(rateLimit(1), [reservation('r', { calls: [openRow('c')], estimateNanoUsd: 7 })], T0);
    const other = new DatabaseSync(join(directory, 'ensemble.db'));
    other.exec('BEGIN IMMEDIATE');
    expect(await store.readSpend({ userId: 'ada', month: '2026-03' })).toMatchObject({ userNanoUsd: 7 });
    other.close();
  });

  it('overwrites what is deleted: nothing of a deleted run is in the file any more', async () => {
    const first = open();
    const secret = 'the prompt of a run that is deleted';
    const request = Buffer.from('its request, which takes pages of its own '.repeat(500));
    await first.createRun(keptRun('r', { prompt: secret, expiresAtMs: Number.MAX_SAFE_INTEGER }), request, keptMax());
    await first.createRun(
      keptRun('s', { prompt: 'kept', expiresAtMs: Number.MAX_SAFE_INTEGER }),
      request.subarray(0, 9),
      keptMax(),
    );
    await first.deleteRuns('ada', 'r');
    await first.close();
    const file = await readFile(join(directory, 'ensemble.db'), 'latin1');
    expect([file.includes('"prompt":"kept"'), file.includes(secret), file.includes('pages of its own')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('deletes a run at once for its user, and its parts ten at a time: others go on in between', async () => {
    const store = open({ clock: fakeClock(T0) });
    const run = keptRun('r');
    await store.createRun(run, new Uint8Array(9), keptMax());
    for (let from = 0; from < 20; from += 1) {
      await store.writeRun(run, { from, to: from + 1, bytes: new Uint8Array(100_000) });
    }
    const raw = new DatabaseSync(join(directory, 'ensemble.db'));
    const parts = raw.prepare("SELECT count(*) AS parts FROM documents WHERE kind = 'runParts'");
    const counts = new Set<unknown>();
    let isDeleted = false;
    const deleting = store.deleteRuns(run.userId, run.runId).finally(() => {
      isDeleted = true;
    });
    while (!isDeleted) {
      counts.add(parts.get()?.['parts']);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await deleting).toBe(1);
    expect(parts.get()).toEqual({ parts: 0 });
    expect([...counts]).toEqual([21, 11, 1, 0]);
    raw.close();
  });

  it('removes runs whose time is over, with their events, when it opens', async () => {
    const first = open({ clock: fakeClock(T0) });
    await first.createRun(keptRun('old', { expiresAtMs: T0 + 1 }), new Uint8Array(9), keptMax());
    await first.createRun(keptRun('new', { expiresAtMs: T0 + 2 * DAY_MS }), new Uint8Array(9), keptMax());
    await first.close();
    const second = open({ clock: fakeClock(T0 + DAY_MS) });
    const raw = new DatabaseSync(join(directory, 'ensemble.db'));
    const left = raw.prepare("SELECT kind FROM documents WHERE kind IN ('runs', 'runParts')");
    await until(() => left.all().length === 2);
    expect(left.all().map(({ kind }) => kind)).toEqual(['runs', 'runParts']);
    expect(await second.findRun({ userId: 'ada', runId: 'new' })).toBeDefined();
    raw.close();
  });

  it.each<[flaw: string, make: (path: string) => unknown, reason: string]>([
    ['another program’s file', (path) => writeFile(path, 'no database at all'.repeat(9)), 'it is not a database'],
    ['a damaged file', (path) => writeFile(path, `SQLite format 3\0${'junk'.repeat(99)}`), 'it is not a database'],
    ['a directory in its place', (path) => mkdir(path), 'cannot be opened as a file'],
    ['a newer schema', (path) => new DatabaseSync(path).exec('PRAGMA user_version = 99'), 'a newer version'],
  ])('names the file, DATA_DIR and what is wrong: %s', async (_, make, reason) => {
    const path = join(directory, 'ensemble.db');
    await make(path);
    const said = reasonOf(() => open());
    expect(said).toMatch(new RegExp(`^Cannot use ${path}: .*${reason}.*DATA_DIR$`));
  });

  it('finishes what was asked before it closes, and refuses everything after', async () => {
    const store = open();
    const inserted = store.insertKey(keyRecord('k'));
    const closed = store.close();
    await expect(inserted).resolves.toBe('inserted');
    await closed;
    await expect(store.close()).resolves.toBeUndefined();
    await expect(store.insertKey(keyRecord('late'))).rejects.toThrow('closed');
    await expect(store.findKey('k')).rejects.toThrow();
    expect(await open().findKey('k')).toEqual(keyRecord('k'));
  });

  it('drops closed records and idempotency keys daily while it stays open, however many there are', async () => {
    const clock = fakeClock(T0 + 399 * DAY_MS);
    const store = open({ clock });
    const ids = Array.from({ length: 1_201 }, (_, index) => `r${index}`);
    const old = ids.map((id) => reservation(id));
    await store.admit(rateLimit(2_000), [...old, reservation('open')], T0);
    await Promise.all(ids.map((id) => store.settle(settlement(id, []))));
    const times = { leaseUntilMs: clock.nowMs() + 1, expiresAtMs: clock.nowMs() + DAY_MS };
    await store.claimKey({ id: 'claimed', fingerprint: 'f', requestId: 'r', ...times }, clock.nowMs());
    const nextRound = () => until(() => clock.pending === 1);
    const stored = () => {
      const db = new DatabaseSync(join(directory, 'ensemble.db'), { readOnly: true });
      const counted = ['usageLedger', 'idempotency'].map(
        (kind) => db.prepare('SELECT count(*) AS n FROM documents WHERE kind = ?').get(kind)?.['n'],
      );
      db.close();
      return counted;
    };
    await nextRound();
    await clock.advance(DAY_MS - 1);
    expect(stored()).toEqual([1_202, 1]);
    await clock.advance(1);
    await nextRound();
    expect(stored()).toEqual([1_202, 1]);
    await clock.advance(DAY_MS);
    await nextRound();
    expect(stored()).toEqual([1, 0]);
    expect((await store.readMonths('ada', ['2026-03']))[0]?.requests).toBe(1_201);
    await store.close();
    expect(clock.pending).toBe(0);
  });
});

function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was wrong';
}
