import { isDeepStrictEqual } from 'node:util';
import { AnswerTimes } from '../../src/ensemble/answer-times';
import type { EnsembleEvent } from '../../src/ensemble/events';
import type { Panel } from '../../src/ensemble/panel';
import { plannedCall } from '../../src/ensemble/question';
import type { EnsembleRequest } from '../../src/ensemble/run';
import { type RunOutcome, runEnsemble } from '../../src/ensemble/run-ensemble';
import { strategyFor } from '../../src/ensemble/strategies';
import { sleep } from '../../src/lib/clock';
import { createLog } from '../../src/lib/log';
import { createGateway } from '../../src/models/gateway';
import { Books, type SpendTotals } from '../../src/usage/books';
import { faultyModels, type PlayedCall } from './faulty-models';
import { NO_TRACE } from './request-scope';
import { bookedCharges, chargesOf, sorted, totalOf } from './virtual-bill';
import { type VirtualClock, virtualClock } from './virtual-clock';
import { type VirtualLedger, virtualLedger } from './virtual-ledger';
import { forgotten } from './virtual-promise';
import type { Schedule } from './virtual-schedule';
import { type Seats, seatModels } from './virtual-seats';

/** What came of one schedule. */
export interface Played {
  readonly outcome: RunOutcome;
  readonly elapsedMs: number;
  readonly seats: Seats;
  /** The deltas, together. */
  readonly content: string;
  readonly calls: readonly PlayedCall[];
  readonly books: Books;
  readonly ledger: VirtualLedger;
  /** Everything that must never be, in words; empty when all is well. */
  readonly flaws: readonly string[];
}

/** The promise of the service; the platform stops the function then. */
const SERVER_TIMEOUT_MS = 540_000;
/** After the run, this much time shows whether something of it goes on. */
const AFTERMATH_MS = 800_000;
const LOG = createLog('silent');

/** Plays a schedule with the real kernel, gateway and books. `refusesFrom` makes the ledger refuse from that write on. */
export async function playSchedule(schedule: Schedule, refusesFrom = 0): Promise<Played> {
  const clock = virtualClock();
  const { world } = clock;
  const startedAtMs = clock.nowMs();
  const { request, seats } = requestOf(schedule);
  const flaws: string[] = [];
  const ledger = virtualLedger(world, { latencyMs: schedule.ledgerLatencyMs, refusesFrom });
  const models = faultyModels(world, seats.characters, (calls) => {
    if (calls > ledger.rows.size) flaws.push(`call ${calls} began before it was in the ledger`);
  });
  const books = new Books(ledger, 'run', startedAtMs);
  const firstWave = strategyFor(request).firstWave(request, 'run');
  ledger.reserve(books.reserve(firstWave.map(plannedCall)));

  const left = new AbortController();
  const events: EnsembleEvent[] = [];
  let over = false;
  if (schedule.leavesAfterMs !== null) world.after(schedule.leavesAfterMs, () => left.abort());
  const running = runEnsemble({
    id: 'run',
    startedAtMs,
    trace: NO_TRACE,
    request,
    gateway: createGateway({ clock, provider: () => models.provider }),
    books,
    clock,
    answerTimes: timesOf(schedule, request.panel),
    log: LOG,
    clientGone: left.signal,
    live: schedule.live,
    emit: (event) => {
      if (over) flaws.push(`${event.type} after the end`);
      events.push(event);
    },
    backPressure: () => readingOf(schedule, clock, left.signal),
  });
  const outcome = await clock.settle(running, SERVER_TIMEOUT_MS);
  over = true;
  const elapsedMs = clock.nowMs() - startedAtMs;
  if (clock.pending > 0) flaws.push(`${clock.pending} timers left`);
  if (models.calls.some(({ late }) => late)) flaws.push('a call began after it had been given up');
  flaws.push(...forgotten(models.calls));

  const said = books.totals();
  await clock.settle(
    books.settle(clock.nowMs()).catch(() => undefined),
    SERVER_TIMEOUT_MS,
  );
  if (refusesFrom === 0) flaws.push(...billingFlaws(models.calls, ledger, outcome.ok ? said : undefined));
  const { length } = models.calls;
  const settled = JSON.stringify(books.totals());
  await clock.pass(AFTERMATH_MS);
  if (models.calls.length > length) flaws.push('a call began after the end');
  if (JSON.stringify(books.totals()) !== settled) flaws.push('the books changed after the end');
  if (clock.pending > 0) flaws.push(`${clock.pending} timers started after the end`);
  if ([...ledger.rows.keys()].some(triedTooOften)) flaws.push('a call was tried more than twice');
  const content = events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
  if (outcome.ok && !models.calls.some(({ delivered, text }) => delivered && text === content)) {
    flaws.push(`the answer is nobody’s: ${content}`);
  }
  return { outcome, elapsedMs, seats, content, calls: models.calls, books, ledger, flaws };
}

function requestOf(schedule: Schedule): { request: EnsembleRequest; seats: Seats } {
  const { strategy, rounds, includeCandidates, includeExplanation, includeFollowUps } = schedule;
  const seats = seatModels(schedule);
  const request: EnsembleRequest = {
    strategy,
    rounds,
    panel: seats.panel,
    prompt: 'Is a tomato a fruit?',
    history: [],
    sampling: {},
    includeCandidates,
    includeExplanation,
    includeFollowUps,
  };
  return { request, seats };
}

function timesOf({ paceMs }: Schedule, { arbiter }: Panel): AnswerTimes {
  const times = new AnswerTimes();
  if (paceMs !== null) for (let answers = 0; answers < 3; answers += 1) times.note(arbiter.model.id, paceMs);
  return times;
}

/** As a socket does it: a slow reader holds the writer up, at most until the connection is gone. */
function readingOf({ readerPauseMs }: Schedule, { world }: VirtualClock, gone: AbortSignal): Promise<void> | undefined {
  if (readerPauseMs === 0 || gone.aborted) return undefined;
  return sleep(world, readerPauseMs, gone);
}

/** Twice, and once more each where the model was asked for JSON and refused its schema. */
function triedTooOften(callId: string): boolean {
  const attempt = Number(/#(\d+)$/.exec(callId)?.[1] ?? 1);
  return attempt > (/^(?:analysis|verdict)/.test(callId) ? 4 : 2);
}

/** What is booked is what was charged, call by call, and no call is left open; `said` is the sum the client is told. */
function billingFlaws(calls: readonly PlayedCall[], ledger: VirtualLedger, said: SpendTotals | undefined): string[] {
  const rows = ledger.settlements[0]?.calls ?? [];
  const charged = sorted(chargesOf(calls));
  const booked = sorted(bookedCharges({ calls: rows }));
  const flaws = rows.filter(({ outcome }) => outcome === 'open').map(({ callId }) => `${callId} is left open`);
  if (!isDeepStrictEqual(booked, charged))
    flaws.push(`booked ${JSON.stringify(booked)}, charged ${JSON.stringify(charged)}`);
  if (said) {
    const { calls: _, ...total } = totalOf(charged);
    const told = Object.keys(total).map((key) => said[key as keyof typeof total]);
    if (!isDeepStrictEqual(told, Object.values(total))) flaws.push(`said ${told}, charged ${Object.values(total)}`);
  }
  return flaws;
}
