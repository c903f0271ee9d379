import type { LimitAnswer } from '../../src/access/guard';
import { isRefusal } from '../../src/errors';
import type { CallRow } from '../../src/ledger/call-row';
import type { Reservation, Settlement } from '../../src/ledger/ledger-store';
import type { AnnouncedCall } from '../../src/ledger/request-ledger';
import { ByteBudget } from '../../src/lib/byte-budget';
import { sleep } from '../../src/lib/clock';
import { FairSlots } from '../../src/lib/fair-slots';
import { createLog } from '../../src/lib/log';
import { Turns } from '../../src/lib/turns';
import { createCatalog } from '../../src/models/catalog';
import { admit, type RunDeps, type RunRequest } from '../../src/runs/admit';
import type { EventSink, Opened, RunContext } from '../../src/runs/run-context';
import { fakeClock } from './fake-clock';
import { outputBounds } from './request-scope';

export const CHECKPOINT_EVERY_MS = 1_000;
/** The run's user may have half of it. */
export const MEMORY_BYTES = 2_000;
/** A run stops so long after its start. */
export const TIME_LIMIT_MS = 30_000;

/** The parts of a run, without HTTP and without a store: time stands still, and all that is written is kept. */
export function runParts() {
  const clock = fakeClock();
  const lines: Record<string, unknown>[] = [];
  const reservations: Reservation[] = [];
  const abandoned: { readonly reservation: Reservation; readonly atMs: number }[] = [];
  const checkpoints: CallRow[][] = [];
  const settlements: Settlement[] = [];
  const noted: object[] = [];
  const stop = new AbortController();
  const client = new AbortController();
  const memory = new ByteBudget(MEMORY_BYTES);
  const modelOutput = outputBounds(10 * 2 ** 20, clock);
  const openRuns = new FairSlots(30);
  const deps: RunDeps = {
    guard: {
      admit: async (_, reservation): Promise<LimitAnswer> => {
        reservations.push(reservation);
        return { headers: { 'x-left': '29' } };
      },
    },
    openRuns,
    store: {
      checkpointEveryMs: CHECKPOINT_EVERY_MS,
      checkpoint: async (_, calls) => void checkpoints.push([...calls]),
      settle: async (settlement) => {
        settlements.push(settlement);
        return 'applied';
      },
      abandon: async (reservation, atMs) => {
        abandoned.push({ reservation, atMs });
        return 'applied';
      },
      listExpired: async () => [],
      postpone: async () => undefined,
      findRecord: async () => undefined,
    },
    gateway: { call: () => Promise.reject(new Error('no model is called')) },
    memory,
    modelOutput,
    heavyWork: new Turns(clock, () => 0),
    tellUnpriced: (modelId, where) => deps.log.warn('no price known', { ...where, modelId }),
    clock,
    log: createLog('debug', (line) => lines.push(JSON.parse(line))),
    stopping: stop.signal,
  };
  const request: RunRequest = {
    id: 'request-1',
    startedAtMs: clock.nowMs(),
    caller: { userId: 'ada', keyId: 'key-1', keyName: 'laptop' },
    endpoint: 'chat.completions',
    clientGone: client.signal,
    trace: {
      where: { requestId: 'request-1' },
      runStarted: () => () => undefined,
      callStarted: () => () => undefined,
      note: (facts) => void noted.push(facts),
    },
  };
  /** The runs that `ada` may still begin. */
  const placesLeft = (): number => {
    const taken = Array.from({ length: 30 }, () => openRuns.tryTake('ada')).filter((leave) => leave !== undefined);
    for (const leave of taken) leave();
    return taken.length;
  };
  const written = { lines, reservations, abandoned, checkpoints, settlements, noted };
  return { deps, request, clock, written, stop, client, memory, modelOutput, placesLeft };
}

/** A call of 100 prompt tokens to a model of 150 nano-USD a prompt token and 600 a completion token. */
export function announcedCall(callId: string, modelId = 'gpt-4o-mini'): AnnouncedCall {
  const model = createCatalog().modelOf(modelId);
  return { callId, model, seat: 'p1', purpose: 'draft', round: 1, promptTokens: 100 };
}

/** Something to run that ends at once with `done`, with `change` applied. */
export function openedRun(change: Partial<Opened<string>> = {}): Opened<string> {
  return {
    firstWave: [announcedCall('a')],
    about: { model: 'gpt-4o-mini', strategy: 'consensus' },
    heldBytes: 600,
    modelIds: new Set(['gpt-4o-mini']),
    timeLimitMs: TIME_LIMIT_MS,
    play: async () => 'done',
    ...change,
  };
}

/** The parts of a run, and one that was admitted with them; `change` replaces dependencies. */
export async function beginRun(
  opened: Partial<Opened<string>> = {},
  change: (parts: ReturnType<typeof runParts>) => Partial<RunDeps> = () => ({}),
) {
  const parts = runParts();
  const admitted = await admit({ ...parts.deps, ...change(parts) }, parts.request, openedRun(opened));
  if (isRefusal(admitted)) throw new Error(admitted.text);
  return { ...parts, admitted };
}

/** Nobody reads what is pushed. */
export const UNREAD: EventSink = { live: false, text: () => undefined, status: () => undefined };

/** A call that says 32 characters, eight tokens, half a second after its start and four times again, a second apart. */
export async function speak({ ledger, clock }: RunContext): Promise<string> {
  const { meter, close } = await ledger.openAttempt(announcedCall('a'), 1);
  for (const waitMs of [500, 1_000, 1_000, 1_000, 1_000]) {
    await sleep(clock, waitMs);
    meter.characters += 32;
    meter.tokens += 8;
  }
  close(undefined, 4_500);
  return 'said';
}
