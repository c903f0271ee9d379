import { isDeepStrictEqual } from 'node:util';
import { AnswerTimes } from '../../src/ensemble/deadline/answer-times';
import { openEnsemble } from '../../src/ensemble/open-ensemble';
import type { Panel } from '../../src/ensemble/panel/panel';
import type { EnsembleRequest } from '../../src/ensemble/run';
import { STRATEGIES } from '../../src/ensemble/strategies/strategies';
import { Fault, isRefusal } from '../../src/errors';
import type { CallRow } from '../../src/ledger/call-row';
import type { RequestLedger, SpendTotals } from '../../src/ledger/request-ledger';
import { ByteBudget } from '../../src/lib/byte-budget';
import { sleep } from '../../src/lib/clock';
import { FairSlots } from '../../src/lib/fair-slots';
import { createLog } from '../../src/lib/log';
import { Turns } from '../../src/lib/turns';
import { createGateway } from '../../src/models/gateway/gateway';
import type { CallPurpose } from '../../src/models/model';
import { admit } from '../../src/runs/admit';
import { run } from '../../src/runs/run';
import { type FakeClock, fakeClock } from '../support/fake-clock';
import { NO_TRACE, outputBounds } from '../support/request-scope';
import { chargesOf, recordedCharges, sorted, totalOf } from './charges';
import { type FaultyLedger, faultyLedger } from './faulty-ledger';
import { faultyModels, type UpstreamCall } from './faulty-models';
import type { Schedule } from './schedule';
import { panelOf, type ScheduledPanel } from './scheduled-panel';
import { forgotten } from './violations';

/** Result of one schedule. */
export interface ScheduleRun {
  readonly outcome: { readonly ok: true } | { readonly ok: false; readonly fault: Fault };
  /** Until the strategy ended; the settlement comes after it. */
  readonly elapsedMs: number;
  readonly seated: ScheduledPanel;
  /** The pieces of text, together. */
  readonly content: string;
  readonly calls: readonly UpstreamCall[];
  readonly ledger: RequestLedger;
  readonly store: FaultyLedger;
  /** Everything that must never be, in words; empty when all is well. */
  readonly flaws: readonly string[];
}

/** The promise of the service; the platform stops the function then. */
const SERVER_TIMEOUT_MS = 540_000;
/** After the run, this much time shows whether something of it goes on. */
const AFTERMATH_MS = 800_000;
const LOG = createLog('silent');

/** Runs a schedule with the real runs, kernel and gateway. `refusesFrom` makes the store refuse from that write on. */
export async function runSchedule(schedule: Schedule, refusesFrom = 0): Promise<ScheduleRun> {
  const clock = fakeClock();
  const { world } = clock;
  const startedAtMs = clock.nowMs();
  const { request, seated } = requestOf(schedule);
  const flaws: string[] = [];
  const store = faultyLedger(world, { latencyMs: schedule.ledgerLatencyMs, refusesFrom });
  const models = faultyModels(world, seated.behaviours, (calls) => {
    if (calls > store.rows.size) flaws.push(`call ${calls} began before it was in the ledger`);
  });
  const left = new AbortController();
  if (schedule.leavesAfterMs !== null) world.after(schedule.leavesAfterMs, () => left.abort());
  const opened = openEnsemble(request, timesOf(schedule, request.panel).of(CALLER.userId));
  let endedMs = startedAtMs;
  let over = false;
  const admitted = await admit(
    {
      memory: new ByteBudget(Number.POSITIVE_INFINITY),
      modelOutput: outputBounds(),
      heavyWork: new Turns(clock, () => 0),
      tellUnpriced: () => undefined,
      guard: {
        admit: async (_, { calls }) => {
          store.reserve(calls ?? []);
          return { headers: {} };
        },
      },
      store: {
        ...store,
        // The strategy has ended and what it left running has been given up.
        settle: (settlement) => {
          flaws.push(...forgotten(models.calls));
          return store.settle(settlement);
        },
      },
      gateway: createGateway({ clock, provider: () => models.provider }),
      clock,
      log: LOG,
      openRuns: new FairSlots(30),
      stopping: new AbortController().signal,
    },
    { id: 'run', startedAtMs, caller: CALLER, endpoint: 'test', clientGone: left.signal, trace: NO_TRACE },
    {
      ...opened,
      play: (context) =>
        opened.play(context).finally(() => {
          over = true;
          endedMs = clock.nowMs();
          if (models.calls.some(({ late }) => late)) flaws.push('a call began after it had been given up');
        }),
    },
  );
  if (isRefusal(admitted)) throw new Error(admitted.text);
  const { ledger } = admitted;
  let content = '';
  const take = (event: string): void => {
    if (over) flaws.push(`${event} after the end`);
  };
  const running = run(admitted, {
    live: schedule.live,
    text: (piece) => {
      take('text');
      content += piece;
      return readingOf(schedule, clock, left.signal);
    },
    status: () => take('status'),
  });
  const ended = await clock.settle(running, SERVER_TIMEOUT_MS + AFTERMATH_MS);
  const failed = ended instanceof Fault;
  if (clock.pending > 0) flaws.push(`${clock.pending} timers left`);
  if (refusesFrom === 0) flaws.push(...billingFlaws(models.calls, store, failed ? undefined : ended.totals));
  const { length } = models.calls;
  const settled = JSON.stringify(ledger.totals());
  await clock.advance(AFTERMATH_MS);
  if (models.calls.length > length) flaws.push('a call began after the end');
  if (JSON.stringify(ledger.totals()) !== settled) flaws.push('the ledger changed after the end');
  if (clock.pending > 0) flaws.push(`${clock.pending} timers started after the end`);
  // Twice is enough, twice more where a model was asked for JSON and refused its schema, and once more for each time that a
  // busy provider refused to begin.
  const schemaPurposes = new Set(models.calls.filter(({ call }) => call.outputSchema).map(({ purpose }) => purpose));
  const triedTooOften = ([callId, { purpose }]: [string, CallRow]): boolean =>
    attemptOf(callId) > (schemaPurposes.has(purpose) ? 4 : 2) + models.calls.filter(isBusy(purpose)).length;
  if ([...store.rows].some(triedTooOften)) flaws.push('a call was tried too often');
  if (!failed && !models.calls.some(({ delivered, text }) => delivered && text === content)) {
    flaws.push(`the answer is no model’s: ${content}`);
  }
  const outcome = failed ? { ok: false as const, fault: ended } : { ok: true as const };
  const elapsedMs = endedMs - startedAtMs;
  return { outcome, elapsedMs, seated, content, calls: models.calls, ledger, store, flaws };
}

const CALLER = { userId: 'u', keyId: 'k', keyName: 'key' };

function requestOf(schedule: Schedule): { request: EnsembleRequest; seated: ScheduledPanel } {
  const { strategy, rounds, includeCandidates, includeExplanation, includeFollowUps } = schedule;
  const seated = panelOf(schedule);
  const request: EnsembleRequest = {
    requestId: 'run',
    strategy: STRATEGIES[strategy],
    rounds,
    panel: seated.panel,
    message: 'Is a tomato a fruit?',
    history: [],
    sampling: {},
    includeCandidates,
    includeExplanation,
    includeFollowUps,
  };
  return { request, seated };
}

function timesOf({ paceMs }: Schedule, { arbiter }: Panel): AnswerTimes {
  const times = new AnswerTimes();
  if (paceMs !== null)
    for (let answers = 0; answers < 3; answers += 1) times.of(CALLER.userId).note(arbiter.model.id, paceMs, 0);
  return times;
}

/** Reads as a socket does: a slow reader of a stream holds the writer up, at most until the connection is gone. */
function readingOf(
  { live, readerPauseMs }: Schedule,
  { world }: FakeClock,
  gone: AbortSignal,
): Promise<void> | undefined {
  if (!live || readerPauseMs === 0 || gone.aborted) return undefined;
  return sleep(world, readerPauseMs, gone);
}

function isBusy(of: CallPurpose): (call: UpstreamCall) => boolean {
  return ({ purpose, fault, text, bill }) =>
    purpose === of && (fault === 'rate_limited' || fault === 'overloaded') && text === '' && !bill;
}

/** Number of a row's attempt at its call, from 1. */
function attemptOf(callId: string): number {
  return Number(/#(\d+)$/.exec(callId)?.[1] ?? 1);
}

/** Faults of the record: it has every charge, call by call, and leaves no call open; `said` is the sum the client is told. */
function billingFlaws(calls: readonly UpstreamCall[], ledger: FaultyLedger, said: SpendTotals | undefined): string[] {
  const rows = ledger.settlements[0]?.calls ?? [];
  const charged = sorted(chargesOf(calls));
  const recorded = sorted(recordedCharges({ calls: rows }));
  const flaws = rows.filter(({ outcome }) => outcome === 'open').map(({ callId }) => `${callId} is left open`);
  if (!isDeepStrictEqual(recorded, charged))
    flaws.push(`recorded ${JSON.stringify(recorded)}, charged ${JSON.stringify(charged)}`);
  if (said) {
    const { calls: _, ...total } = totalOf(charged);
    const told = Object.keys(total).map((key) => said[key as keyof typeof total]);
    if (!isDeepStrictEqual(told, Object.values(total))) flaws.push(`said ${told}, charged ${Object.values(total)}`);
  }
  return flaws;
}
