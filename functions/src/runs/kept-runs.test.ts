import { beginRun } from '../../test/support/run-parts';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { until } from '../../test/support/until';
import { isRefusal } from '../errors';
import { ByteBudget } from '../lib/byte-budget';
import { OpenWork } from '../lib/open-work';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import type { Store } from '../store/store';
import { KeptRuns } from './kept-runs';
import type { RunContext } from './run-context';
import { LOST_MESSAGE } from './run-list';
import type { TracedEvent, TraceEvent } from './trace-event';

const RUN_ID = 'a'.repeat(32);
/** The run of the scene as its user names it. */
const MINE = { userId: 'ada', runId: RUN_ID };
const KEPT_MS = 30 * 86_400_000;
const SEAT = { modelId: 'model-a', modelName: 'Model A', source: 'platform' } as const;
const PLAN = { callsMax: 3, costMaxNanoUsd: 9, durationMaxMs: 1_000 };
/** The first event of a run of two models. */
const BEGAN: TraceEvent = {
  ...{ type: 'run', version: 1, runId: RUN_ID, startedAtMs: 0, strategy: 'expert_panel', rounds: 2, ...PLAN },
  participants: [{ ...SEAT, seat: 'p1', label: 'Ada' }],
  arbiter: { ...SEAT, seat: 'arbiter', label: 'Umpire' },
};
const limitation = (text: string): TraceEvent => ({ type: 'limitation', text });

/** A run that tells what the test says, in a process with an embedded store, and other processes beside it. */
async function keptRunScene(wrap = (store: Store): Store => store) {
  const directory = await temporaryDirectory();
  const told = Promise.withResolvers<RunContext>();
  const over = Promise.withResolvers<string>();
  const { admitted, clock, stop, written } = await beginRun({
    play: (context) => {
      told.resolve(context);
      context.signal.addEventListener('abort', () => over.reject(new Error('stopped')));
      return over.promise;
    },
  });
  const stored = openEmbeddedStore({ directory: directory.path, clock: clock.world });
  const openWork = new OpenWork();
  const store = wrap(stored);
  const kept = { keptMs: KEPT_MS, keptBytes: 1e9 };
  const process = () =>
    new KeptRuns({ clock, log: admitted.deps.log, memory: new ByteBudget(2 ** 30), openWork, store, ...kept });
  const here = process();
  const play = (prompt = 'Is a tomato a fruit?') => {
    const mine = { ...admitted, request: { ...admitted.request, id: RUN_ID } };
    return here.play(mine, { prompt, request: { model: 'ensemble' }, isStored: true });
  };
  const tell = async (...events: readonly TraceEvent[]): Promise<void> => {
    const { observer } = await told.promise;
    for (const event of events) observer?.tell(event);
  };
  const close = async (): Promise<void> => {
    await stored.close();
    await directory.remove();
  };
  return { clock, stop, lines: written.lines, openWork, stored, here, process, play, tell, over, close };
}

/** All that a reader gets, until the run is over. */
async function readAll(runs: KeptRuns, from = 0): Promise<TracedEvent[]> {
  const pieces = await runs.follow({ ...MINE, from }, new AbortController().signal);
  if (!pieces || isRefusal(pieces)) throw new Error('cannot follow');
  const events: TracedEvent[] = [];
  for await (const piece of pieces) events.push(...piece.events.map((event): TracedEvent => JSON.parse(event)));
  return events;
}

describe('kept runs', () => {
  let scene: Awaited<ReturnType<typeof keptRunScene>>;
  /** A run that has told its first event. */
  const begin = async (wrap?: (store: Store) => Store) => {
    scene = await keptRunScene(wrap);
    const live = scene.play();
    await scene.tell(BEGAN);
    return { ...scene, live };
  };
  afterEach(() => scene.close());
  const isWritten = (events: number) => until(async () => (await scene.stored.findRun(MINE))?.eventCount === events);
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
  const states = async (runs = scene.process()) => {
    const page = await runs.list('ada', { limit: 9 });
    return isRefusal(page) ? [] : page.runs.map(({ state }) => state);
  };
  const places = (events: readonly TracedEvent[]) => events.map(({ type, seq }) => `${seq} ${type}`);

  it('gives live readers, late ones and those in another process the same events, each once', async () => {
    const { here, process, tell, over, live } = await begin();
    const first = readAll(here);
    await tell(limitation('one'));
    await isWritten(2);
    const elsewhere = readAll(process());
    await tell(limitation('two'), { type: 'answer', text: 'Yes.' });
    over.resolve('done');
    await live.ended;
    const events = await first;
    expect(places(events)).toEqual(['0 run', '1 limitation', '2 limitation', '3 answer', '4 end']);
    expect(await inTime(elsewhere)).toEqual(events);
    expect(await readAll(process())).toEqual(events);
  });

  it('shows the end only once it is in the store', async () => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const { here, over, stored, live } = await begin((store) => ({
      ...store,
      writeRun: async (run, events) => {
        if (run.state !== 'running') reached.resolve();
        if (run.state !== 'running') await gate.promise;
        return store.writeRun(run, events);
      },
    }));
    over.resolve('done');
    await reached.promise;
    expect([live.trace.length, live.trace.isOver]).toEqual([1, false]);
    gate.resolve();
    expect((await readAll(here)).at(-1)).toMatchObject({ type: 'end', outcome: 'complete' });
    expect(await stored.findRun(MINE)).toMatchObject({ state: 'complete', eventCount: 2 });
  });

  it('writes when a run begins, every three seconds while it is under way, and its end', async () => {
    const writes: number[] = [];
    const { tell, over, clock, live } = await begin((store) => ({
      ...store,
      writeRun: (run, events) => {
        writes.push(scene.clock.nowMs());
        return store.writeRun(run, events);
      },
    }));
    const startMs = clock.nowMs();
    await isWritten(1);
    await writerWaits();
    for (const at of [1, 2, 3, 4]) {
      for (let piece = 0; piece < 50; piece += 1) await tell(limitation(`${at}.${piece}`));
      await clock.advance(3_000);
      await isWritten(1 + 50 * at);
      await writerWaits();
    }
    over.resolve('done');
    await live.ended;
    expect(writes.map((ms) => ms - startMs)).toEqual([0, 3_000, 6_000, 9_000, 12_000, 12_000]);
  });

  it.each(['stopped', 'deleted'])('is stopped within three seconds when another process has it %s', async (how) => {
    const { process, clock, live } = await begin();
    await isWritten(1);
    await writerWaits();
    if (how === 'deleted') expect(await process().delete('ada', RUN_ID)).toBe(1);
    else expect(await process().stop(MINE)).toMatchObject({ state: 'running' });
    await clock.advance(3_000);
    await live.ended;
    expect(live.summary.state).toBe('stopped');
    expect(await states()).toEqual(how === 'deleted' ? [] : ['stopped']);
  });

  it('says of a run whose process has died that it failed, with all that was written, once its lease has ended', async () => {
    const { process, tell, clock, live: dead } = await begin();
    await tell(limitation('one'));
    await isWritten(2);
    dead.forget();
    const reader = readAll(process());
    await clock.advance(29_000);
    expect(await states()).toEqual(['running']);
    await clock.advance(1_000);
    expect(await states()).toEqual(['failed']);
    const events = await inTime(reader);
    expect(places(events)).toEqual(['0 run', '1 limitation', '2 end']);
    expect(events.at(-1)).toMatchObject({ outcome: 'failed', message: LOST_MESSAGE });
    const stored = await scene.stored.findRun(MINE);
    const whole = stored && (await process().readWhole(stored));
    if (!whole || isRefusal(whole)) throw new Error('cannot read');
    const [, ...shared] = whole.texts.flatMap((text) => text.split('\n').map((line) => JSON.parse(line)));
    expect(shared).toEqual(events);
    scene.over.resolve('too late');
    await dead.ended;
  });

  it('gives a shared run that is deleted while it is read as far as it was read, and reads no place twice', async () => {
    const asked = new Set<number>();
    const { process, stored, tell, live, over } = await begin((store) => ({
      ...store,
      readPart: async (ref, kind, place) => {
        if (kind !== 'events') return store.readPart(ref, kind, place);
        if (asked.has(place)) throw new Error(`${place} was read twice`);
        asked.add(place);
        return place === 0 ? store.readPart(ref, kind, place) : undefined;
      },
    }));
    await isWritten(1);
    await tell(limitation('one'));
    over.resolve('done');
    await live.ended;
    const run = await stored.findRun(MINE);
    const whole = run && (await process().readWhole(run));
    if (!whole || isRefusal(whole)) throw new Error('cannot read');
    expect(whole.texts.map((text) => JSON.parse(text).type)).toEqual([undefined, 'run']);
    whole.release();
  });

  it.each([1, 2, 3, 7])(
    'ends it for a reader that has %d events too, be they fewer or more than were written',
    async (had) => {
      const { process, tell, clock, live: dead } = await begin();
      await tell(limitation('one'));
      await isWritten(2);
      dead.forget();
      await clock.advance(30_000);
      const events = await readAll(process(), had);
      expect(events.at(-1)).toMatchObject({ type: 'end', outcome: 'failed', message: LOST_MESSAGE });
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => had + at));
      scene.over.resolve('too late');
      await dead.ended;
    },
  );

  it('plays a run to its end whose store fails, says so in the log once, and in the run', async () => {
    let tries = 0;
    const createRun = () => {
      tries += 1;
      return Promise.reject(new Error('no disk'));
    };
    const { here, over, clock, lines, live } = await begin((store) => ({ ...store, createRun }));
    const read = readAll(here);
    const told = () => lines.filter(({ message }) => message === 'run not kept');
    await writerWaits();
    over.resolve('done');
    // Three tries more, with a pause after each but the last.
    for (const failed of [2, 3]) {
      await until(() => tries === failed && clock.pending === 2);
      await clock.advance(500);
    }
    await live.ended;
    const events = await read;
    expect(places(events)).toEqual(['0 run', '1 limitation', '2 end']);
    expect(events.at(-1)).toMatchObject({ outcome: 'complete', atMs: 1_000 });
    expect(told()).toHaveLength(1);
  });

  it('lets a user have 20 readers in a process, whether they read or not, and holds the run for none of them', async () => {
    const { here, over, live } = await begin();
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
    scene = await keptRunScene();
    const { process, tell, over, play } = scene;
    const live = play(`a\u0000b\ud800\nc${' long'.repeat(99)}`);
    const texts = ['x\u0000y', '\ud83d', 'ab\u2028c\n'.repeat(350_000)];
    await tell(BEGAN, ...texts.map(limitation));
    over.resolve('done');
    await live.ended;
    const events = await readAll(process());
    expect(events.slice(1, -1).map((event) => ('text' in event ? event.text : ''))).toEqual(texts);
    const { prompt } = (await process().find(MINE)) ?? {};
    expect(prompt).toMatch(/^a b\ufffd c long( long)+/);
    expect(prompt).toHaveLength(200);
  });

  it('writes the end of a run that is stopped because its process is to end, and is waited for', async () => {
    const { stop, openWork, stored } = await begin();
    const end = openWork.stop();
    stop.abort();
    await end;
    expect(await stored.findRun(MINE)).toMatchObject({ state: 'failed', message: 'The server is restarting' });
  });

  it('ends the streams of a process that is to end, of runs that others play', async () => {
    const { openWork, process, over, live } = await begin();
    await isWritten(1);
    const pieces = await process().follow({ ...MINE, from: 0 }, new AbortController().signal);
    if (!pieces || isRefusal(pieces)) throw new Error('cannot follow');
    expect((await pieces.next()).value).toMatchObject({ from: 0 });
    const next = pieces.next();
    void openWork.stop();
    expect(await inTime(next)).toMatchObject({ done: true });
    expect(live.trace.isOver).toBe(false);
    over.resolve('done');
    await live.ended;
  });

  it('is forgotten in time', async () => {
    const { here, over, clock, live } = await begin();
    over.resolve('done');
    await live.ended;
    await clock.advance(KEPT_MS - 1);
    expect([await states(here), await here.find(MINE)]).toMatchObject([['complete'], { state: 'complete' }]);
    await clock.advance(1);
    expect([await states(here), await here.find(MINE)]).toEqual([[], undefined]);
  });
});
