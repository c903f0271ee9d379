import { ByteBudget } from '../../src/lib/byte-budget';
import { OpenWork } from '../../src/lib/open-work';
import { KeptRuns, type KeptRunsDeps } from '../../src/runs/kept-runs';
import type { RunToKeep } from '../../src/runs/live-run';
import type { RunContext } from '../../src/runs/run-context';
import type { TracedEvent, TraceEvent } from '../../src/runs/trace-event';
import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import type { Store } from '../../src/store/store';
import { beginRun } from './run-parts';
import { temporaryDirectory } from './temporary-directory';

export const RUN_ID = 'a'.repeat(32);
export const DAY_MS = 86_400_000;
export const KEPT: RunToKeep = { prompt: 'Is a tomato a fruit?', request: { model: 'ensemble' }, isStored: true };

/** The first event of a run of two models. */
const SEAT = { modelId: 'model-a', modelName: 'Model A', source: 'platform' } as const;
export const BEGAN: TraceEvent = {
  type: 'run',
  version: 1,
  runId: RUN_ID,
  startedAtMs: 0,
  strategy: 'expert_panel',
  rounds: 2,
  participants: [{ ...SEAT, seat: 'p1', label: 'Ada' }],
  arbiter: { ...SEAT, seat: 'arbiter', label: 'Umpire' },
  callsMax: 3,
  costMaxNanoUsd: 9,
  durationMaxMs: 1_000,
};
export const limitation = (text: string): TraceEvent => ({ type: 'limitation', text });

/** A run that tells what the test says, in a process with an embedded store, and other processes beside it. */
export async function keptRunScene({
  wrap = (store: Store): Store => store,
  change = {} as Partial<KeptRunsDeps>,
} = {}) {
  const directory = await temporaryDirectory();
  const told = Promise.withResolvers<RunContext>();
  const over = Promise.withResolvers<string>();
  const play = (context: RunContext): Promise<string> => {
    told.resolve(context);
    context.signal.addEventListener('abort', () => over.reject(new Error('stopped')));
    if (context.signal.aborted) over.reject(new Error('stopped'));
    return over.promise;
  };
  over.promise.catch(() => undefined);
  const { admitted, clock, client, stop, written } = await beginRun({ play });
  const stored = openEmbeddedStore({ directory: directory.path, clock: clock.world });
  const mine = { ...admitted, request: { ...admitted.request, id: RUN_ID } };
  const openWork = new OpenWork();
  const deps = {
    clock,
    log: admitted.deps.log,
    memory: new ByteBudget(2 ** 30),
    openWork,
    keptMs: 30 * DAY_MS,
    keptBytes: 1e9,
    ...change,
  };
  const process = (): KeptRuns => new KeptRuns({ ...deps, store: wrap(stored) });
  const here = process();
  const tell = async (...events: readonly TraceEvent[]): Promise<void> => {
    const { observer } = await told.promise;
    for (const event of events) observer?.tell(event);
  };
  const close = async (): Promise<void> => {
    await stored.close();
    await directory.remove();
  };
  const lines = written.lines;
  return { admitted: mine, clock, client, stop, lines, openWork, stored, here, process, tell, over, close };
}

/** The run of the scene as a user names it. */
export const MINE = { userId: 'ada', runId: RUN_ID };

/** All that a reader gets from an event on, until the run is over or the reader has so many. */
export async function readFrom(runs: KeptRuns, from = 0, max = Number.POSITIVE_INFINITY): Promise<TracedEvent[]> {
  const gone = new AbortController();
  const pieces = await runs.follow({ ...MINE, from }, gone.signal);
  if (!pieces || 'refused' in pieces) throw new Error('cannot follow');
  const events: TracedEvent[] = [];
  for await (const piece of pieces) {
    for (const event of piece.events) if (events.length < max) events.push(JSON.parse(event));
    if (events.length === max) gone.abort();
  }
  return events;
}
