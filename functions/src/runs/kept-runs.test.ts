import {
  BEGAN,
  DAY_MS,
  KEPT,
  keptRunScene,
  limitation,
  MINE,
  RUN_ID,
  readFrom,
} from '../../test/support/kept-run-scene';
import { until } from '../../test/support/until';
import { isRefusal } from '../errors';
import type { Store } from '../store/store';
import type { KeptRuns } from './kept-runs';
import { LOST_MESSAGE } from './run-list';

type Scene = Awaited<ReturnType<typeof keptRunScene>>;

describe('kept runs', () => {
  let scene: Scene;
  const begin = async (options: Parameters<typeof keptRunScene>[0] = {}): Promise<Scene> => {
    scene = await keptRunScene(options);
    return scene;
  };
  afterEach(() => scene.close());
  const storedEvents = async (): Promise<number> => (await scene.stored.findRun(MINE))?.eventCount ?? 0;
  /** Beside the timers of a run, for its time limit and its checkpoints, there is that of the next write. */
  const writerWaits = () => until(() => scene.clock.pending === 3);
  /** Result of work that waits for time and for the disk in turn. */
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    void work.finally(() => {
      isDone = true;
    });
    await until(async () => {
      await scene.clock.advance(500);
      return isDone;
    });
    return work;
  };
  const play = () => scene.here.play(scene.admitted, KEPT);
  const asked = async (runs: KeptRuns) => {
    const found = await runs.read(MINE);
    if (!found || isRefusal(found)) throw new Error('cannot read');
    return found;
  };
  const states = async (runs = scene.process()) => {
    const page = await runs.list('ada', { limit: 9 });
    return isRefusal(page) ? [] : page.runs.map(({ state }) => state);
  };

  it('gives live readers, late ones and those in another process the same events, each once', async () => {
    const { here, process, tell, over } = await begin();
    const live = play();
    const first = readFrom(here);
    await tell(BEGAN, limitation('one'));
    await until(async () => (await storedEvents()) > 0);
    const elsewhere = readFrom(process());
    await tell(limitation('two'), { type: 'answer', text: 'Yes.' });
    over.resolve('done');
    await live.ended;
    const events = await first;
    expect(events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4]);
    expect(events.map(({ type }) => type)).toEqual(['run', 'limitation', 'limitation', 'answer', 'end']);
    expect(await inTime(elsewhere)).toEqual(events);
    expect(await readFrom(process())).toEqual(events);
  });

  it('shows the end only once it is in the store', async () => {
    const gate = Promise.withResolvers<void>();
    const wrap = (store: Store): Store => ({
      ...store,
      writeRun: async (run, events) => {
        if (run.state !== 'running') await gate.promise;
        return store.writeRun(run, events);
      },
    });
    const { here, tell, over, stored } = await begin({ wrap });
    const live = play();
    await tell(BEGAN);
    over.resolve('done');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(live.trace.length).toBe(1);
    expect(live.trace.isOver).toBe(false);
    gate.resolve();
    expect((await readFrom(here)).at(-1)).toMatchObject({ type: 'end', outcome: 'complete' });
    expect(await stored.findRun(MINE)).toMatchObject({ state: 'complete', eventCount: 2 });
  });

  it('writes when a run begins, every three seconds while it is under way, and its end', async () => {
    const writes: number[] = [];
    const wrap = (store: Store): Store => ({
      ...store,
      writeRun: (run, events) => {
        writes.push(scene.clock.nowMs());
        return store.writeRun(run, events);
      },
    });
    const { tell, over, clock } = await begin({ wrap });
    const startMs = clock.nowMs();
    const live = play();
    await tell(BEGAN);
    const tick = async (ms: number, count: number) => {
      await clock.advance(ms);
      await until(() => writes.length === count);
      await writerWaits();
    };
    await until(async () => (await storedEvents()) === 1);
    await writerWaits();
    for (const at of [1, 2, 3]) {
      for (let piece = 0; piece < 50; piece += 1) await tell(limitation(`${at}.${piece}`));
      await tick(3_000, at + 1);
      await until(async () => (await storedEvents()) === 1 + 50 * at);
    }
    await tick(3_000, 5);
    over.resolve('done');
    await live.ended;
    expect(writes.map((ms) => ms - startMs)).toEqual([0, 3_000, 6_000, 9_000, 12_000, 12_000]);
  });

  it('stops a run from another process within three seconds', async () => {
    const { process, tell, clock } = await begin();
    const live = play();
    await tell(BEGAN);
    await until(async () => (await storedEvents()) === 1);
    await writerWaits();
    expect(await process().stop(MINE)).toMatchObject({ state: 'running' });
    await clock.advance(3_000);
    await live.ended;
    expect(await states()).toEqual(['stopped']);
  });

  it('says of a run whose process has died that it failed, with all that was written, once its lease has ended', async () => {
    const { process, tell, clock } = await begin();
    const dead = play();
    await tell(BEGAN, limitation('one'));
    await until(async () => (await storedEvents()) === 2);
    dead.forget();
    const reader = readFrom(process());
    await clock.advance(29_000);
    expect(await states()).toEqual(['running']);
    await clock.advance(1_000);
    expect(await states()).toEqual(['failed']);
    const events = await inTime(reader);
    expect(events.map(({ type, seq }) => [type, seq])).toEqual([
      ['run', 0],
      ['limitation', 1],
      ['end', 2],
    ]);
    expect(events.at(-1)).toMatchObject({ outcome: 'failed', message: LOST_MESSAGE });
    scene.over.resolve('too late');
    await dead.ended;
  });

  it('plays a run to its end whose store fails, says so in the log once, and in the run', async () => {
    const down = () => Promise.reject(new Error('no disk'));
    const { here, tell, over, clock, lines } = await begin({ wrap: (store) => ({ ...store, createRun: down }) });
    const live = play();
    const read = readFrom(here);
    await tell(BEGAN);
    const told = () => lines.filter(({ message }) => message === 'run not kept');
    await until(() => told().length === 1);
    await clock.advance(3_000);
    over.resolve('done');
    await inTime(live.ended);
    const events = await read;
    expect(events.map(({ type, seq }) => [type, seq])).toEqual([
      ['run', 0],
      ['limitation', 1],
      ['end', 2],
    ]);
    expect(events.at(-1)).toMatchObject({ outcome: 'complete' });
    expect(told()).toHaveLength(1);
  });

  it('is stopped and gone when it is deleted by another process while it runs', async () => {
    const { process, tell, clock, stored } = await begin();
    const run = play();
    await tell(BEGAN);
    await until(async () => (await storedEvents()) === 1);
    await writerWaits();
    expect(await process().delete('ada', RUN_ID)).toBe(1);
    await clock.advance(3_000);
    await run.ended;
    expect(run.summary.state).toBe('stopped');
    expect(await stored.findRun(MINE)).toBeUndefined();
  });

  it('lets a user have 20 readers in a process, whether they read or not, and holds the run for none of them', async () => {
    const { here, tell, over } = await begin();
    const live = play();
    await tell(BEGAN);
    const gone = new AbortController();
    const follow = () => here.follow({ ...MINE, from: 0 }, gone.signal);
    const readers = await Promise.all(Array.from({ length: 1_000 }, follow));
    const refused = readers.filter((one) => isRefusal(one));
    expect(refused).toHaveLength(980);
    expect(refused[0]).toMatchObject({ code: 'rate_limited' });
    over.resolve('done');
    await live.ended;
    const [reader] = readers;
    if (isRefusal(reader)) throw new Error('refused');
    await reader?.next();
    await reader?.return(undefined);
    expect(isRefusal(await follow())).toBe(false);
    expect(isRefusal(await follow())).toBe(true);
    gone.abort();
    expect(isRefusal(await follow())).toBe(false);
  });

  it('keeps texts of megabytes, halves of characters and zeros as they are', async () => {
    const { here, process, tell, over } = await begin();
    const live = here.play(scene.admitted, { ...KEPT, prompt: `a\u0000b\ud800\nc${' long'.repeat(99)}` });
    const texts = ['x\u0000y', '\ud83d', 'ab\u2028c\n'.repeat(350_000)];
    await tell(BEGAN, ...texts.map(limitation));
    over.resolve('done');
    await live.ended;
    const events = await readFrom(process());
    expect(events.slice(1, -1).map((event) => ('text' in event ? event.text : ''))).toEqual(texts);
    const { run } = await asked(process());
    expect(run.prompt).toMatch(/^a b\ufffd c long( long)+/);
    expect(run.prompt).toHaveLength(200);
  });

  it('writes the end of a run that is stopped because its process is to end, and is waited for', async () => {
    const { tell, stop, openWork, stored } = await begin();
    play();
    await tell(BEGAN);
    const end = openWork.stop();
    stop.abort();
    await end;
    expect(await stored.findRun(MINE)).toMatchObject({ state: 'failed', message: 'The server is restarting' });
  });

  it('ends the streams of a process that is to end, of runs that others play', async () => {
    const { tell, openWork, process } = await begin();
    const live = play();
    await tell(BEGAN);
    await until(async () => (await storedEvents()) === 1);
    const pieces = await process().follow({ ...MINE, from: 0 }, new AbortController().signal);
    if (!pieces || isRefusal(pieces)) throw new Error('cannot follow');
    expect((await pieces.next()).value).toMatchObject({ from: 0 });
    const next = pieces.next();
    void openWork.stop();
    expect(await inTime(next)).toMatchObject({ done: true });
    expect(live.trace.isOver).toBe(false);
    scene.over.resolve('done');
    await live.ended;
  });

  it('is forgotten in time', async () => {
    const { here, tell, over, clock } = await begin();
    const live = play();
    await tell(BEGAN);
    over.resolve('done');
    await live.ended;
    await clock.advance(30 * DAY_MS - 1);
    expect([await states(here), await here.find(MINE)]).toMatchObject([['complete'], { state: 'complete' }]);
    await clock.advance(1);
    expect([await states(here), await here.find(MINE)]).toEqual([[], undefined]);
  });
});
