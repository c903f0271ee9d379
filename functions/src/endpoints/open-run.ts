import { HARD_STOP_MS } from '../ensemble/deadline';
import type { Audience, Candidate, EnsembleEvent } from '../ensemble/events';
import { plannedCall } from '../ensemble/question';
import type { EnsembleRequest } from '../ensemble/run';
import { type RunOutcome, runEnsemble } from '../ensemble/run-ensemble';
import { strategyFor } from '../ensemble/strategies';
import { isRefusal, type Refusal, refuse } from '../errors';
import type { Admitted } from '../guard/guard';
import type { Reservation } from '../store/store';
import { Books, type SpendTotals } from '../usage/books';
import { monthOf } from '../usage/month';
import type { ApiRequest } from './endpoint';
import type { Services } from './services';

/** What is to be run, and under which name it is booked. */
export interface RunPlan {
  readonly endpoint: string;
  readonly ensemble: EnsembleRequest;
}

/** An admitted run, ready to be played once. */
export interface OpenRun {
  readonly headers: Readonly<Record<string, string>>;
  play(audience: Audience): Promise<RunOutcome>;
  totals(): SpendTotals;
  /** Closes the books; never rejects: what cannot be settled in time is the sweep's. */
  settle(): Promise<void>;
  /** Plays it to the end and settles; a failed run is a 500. */
  collect(): Promise<Collected | Refusal>;
}

/** Everything a run said, for a reply in one piece. */
export interface Collected {
  content: string;
  explanation?: string;
  followUpPrompts?: readonly string[];
  candidates?: readonly Candidate[];
  readonly degraded: string[];
  totals: SpendTotals;
}

/** After the hard stop the process may still need this long; then the record is the sweep's to settle. */
const LEASE_MS = HARD_STOP_MS + 135_000;
const SETTLE_MAX_MS = 10_000;

/** Admits a run: the limiter's slot, the open ledger record and the first wave of calls are one commit. */
export async function openRun(services: Services, request: ApiRequest, plan: RunPlan): Promise<OpenRun | Refusal> {
  const { ensemble } = plan;
  const books = new Books(services.store, request.id, request.startedAtMs);
  const firstWave = strategyFor(ensemble).firstWave(ensemble, request.id);
  const reservation: Reservation = {
    requestId: request.id,
    ...request.caller,
    endpoint: plan.endpoint,
    month: monthOf(request.startedAtMs),
    startedAtMs: request.startedAtMs,
    leaseUntilMs: request.startedAtMs + LEASE_MS,
    calls: books.reserve(firstWave.map(plannedCall)),
  };
  const admitted = await admit(services, request, reservation);
  if (isRefusal(admitted)) return admitted;

  const play = (audience: Audience): Promise<RunOutcome> =>
    runEnsemble({
      ...services,
      ...audience,
      id: request.id,
      startedAtMs: request.startedAtMs,
      request: ensemble,
      books,
      clientGone: request.clientGone,
    });
  const settle = (): Promise<void> => settleBooks(services, books, request.id);
  return {
    headers: admitted.headers,
    play,
    settle,
    totals: () => books.totals(),
    collect: async () => {
      const collected: Collected = { content: '', degraded: [], totals: books.totals() };
      const outcome = await play({
        live: false,
        emit: (event) => collect(collected, event),
        backPressure: () => undefined,
      });
      await settle();
      collected.totals = books.totals();
      if (outcome.ok) return collected;
      if (!request.clientGone.aborted) services.log.requestFailed(request.id, outcome.fault);
      // Model calls were begun: an SDK that retried the 500 would begin them all again.
      return refuse(outcome.fault.code, outcome.fault.publicText, { ...admitted.headers, 'x-should-retry': 'false' });
    },
  };
}

/**
 * When the store fails in the middle of an admission the record may be open all the same. Nothing was called, so it is
 * closed at nothing; should that fail too, the sweep would bill its planned prompts.
 */
async function admit(services: Services, request: ApiRequest, reservation: Reservation): Promise<Admitted | Refusal> {
  const { guard, store, clock, log } = services;
  try {
    return await guard.admit(request.caller, reservation);
  } catch (error) {
    store
      .settle({ requestId: request.id, state: 'settled', calls: [], settledAtMs: clock.nowMs() })
      .catch((reason: unknown) => log.settleFailed(request.id, reason));
    throw error;
  }
}

function collect(into: Collected, event: EnsembleEvent): void {
  switch (event.type) {
    case 'delta':
      into.content += event.text;
      return;
    case 'candidates':
      into.candidates = event.list;
      return;
    case 'explanation':
      into.explanation = event.text;
      return;
    case 'followUps':
      into.followUpPrompts = event.prompts;
      return;
    case 'degraded':
      into.degraded.push(event.text);
      return;
    case 'status':
      return;
  }
}

async function settleBooks({ clock, log }: Services, books: Books, requestId: string): Promise<void> {
  const { promise: tooLate, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(SETTLE_MAX_MS, () => {
    log.settleFailed(requestId, new Error(`not settled within ${SETTLE_MAX_MS} ms, left to the sweep`));
    resolve();
  });
  const settled = books.settle(clock.nowMs()).catch((error: unknown) => log.settleFailed(requestId, error));
  await Promise.race([settled, tooLate]);
  cancel();
  for (const modelId of books.totals().unpricedModels) log.unpricedModel(requestId, modelId);
}
