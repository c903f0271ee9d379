import { HARD_STOP_MS } from '../ensemble/deadline';
import { type Fault, isRefusal, type Refusal, refuse } from '../errors';
import type { Admitted, Guard } from '../guard/guard';
import type { LedgerStore, Reservation } from '../store/store';
import { Books, type PlannedCall } from '../usage/books';
import { monthOf } from '../usage/month';
import type { ApiRequest } from './endpoint';
import type { Services } from './services';

/** Under which name a request is booked, and the calls that may start as soon as it is admitted. */
export interface BookPlan {
  readonly endpoint: string;
  readonly firstWave: readonly PlannedCall[];
  /** Its platform calls count against its user's monthly grant, of which it has a lease. */
  readonly onGrant?: boolean | undefined;
}

/** Who asks, and until when anybody waits for the reply. */
export type BookRequest = Pick<ApiRequest, 'id' | 'startedAtMs' | 'caller' | 'clientGone'>;

/** What books are kept with; who gets in is decided by whoever `guard` is here. */
export interface BookServices extends Pick<Services, 'clock' | 'log'> {
  readonly guard: Pick<Guard, 'admit'>;
  readonly store: LedgerStore;
}

/** The books of an admitted request. */
export interface OpenBooks {
  readonly books: Books;
  /** What the reply says about the limit. */
  readonly headers: Readonly<Record<string, string>>;
  /** Closes the books; never rejects: what cannot be settled in time is the sweep's. */
  settle(): Promise<void>;
  /** The reply to a fault after calls were begun: an SDK that retried it would begin them all again. */
  failed(fault: Fault): Refusal;
}

/** After the hard stop the process may still need this long; then the record is the sweep's to settle. */
export const LEASE_MS = HARD_STOP_MS + 135_000;
const SETTLE_MAX_MS = 10_000;

/** Admits a request: the limiter's slot, the open ledger record and the first wave of calls are one commit. */
export async function openBooks(
  services: BookServices,
  request: BookRequest,
  plan: BookPlan,
): Promise<OpenBooks | Refusal> {
  const books = new Books(services.store, request.id, request.startedAtMs);
  const reservation: Reservation = {
    requestId: request.id,
    ...request.caller,
    endpoint: plan.endpoint,
    month: monthOf(request.startedAtMs),
    startedAtMs: request.startedAtMs,
    leaseUntilMs: request.startedAtMs + LEASE_MS,
    calls: books.reserve(plan.firstWave),
    ...(plan.onGrant === true && { onGrant: true }),
  };
  const admitted = await admit(services, request, reservation);
  if (isRefusal(admitted)) return admitted;
  return {
    books,
    headers: admitted.headers,
    settle: () => settleBooks(services, books, request.id),
    failed: (fault) => {
      if (!request.clientGone.aborted) services.log.requestFailed(request.id, fault);
      return refuse(fault.code, fault.publicText, { ...admitted.headers, 'x-should-retry': 'false' });
    },
  };
}

/**
 * When the store fails in the middle of an admission the record may be open all the same. Nothing was called, so it is
 * closed at nothing; should that fail too, the sweep would bill its planned prompts.
 */
async function admit(
  services: BookServices,
  request: BookRequest,
  reservation: Reservation,
): Promise<Admitted | Refusal> {
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

async function settleBooks({ clock, log }: BookServices, books: Books, requestId: string): Promise<void> {
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
