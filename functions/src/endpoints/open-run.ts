import type { Audience, Candidate, EnsembleEvent } from '../ensemble/events';
import { plannedCall } from '../ensemble/question';
import type { EnsembleRequest } from '../ensemble/run';
import { type RunOutcome, runEnsemble } from '../ensemble/run-ensemble';
import { strategyFor } from '../ensemble/strategies';
import { isRefusal, type Refusal } from '../errors';
import type { SpendTotals } from '../usage/books';
import type { ApiRequest } from './endpoint';
import { type BookPlan, type BookRequest, type BookServices, openBooks } from './open-books';
import type { Services } from './services';

/** What is to be run, and under which name it is booked. */
export interface RunPlan {
  readonly endpoint: string;
  readonly ensemble: EnsembleRequest;
  /** Absent: no grant. */
  readonly onGrant?: BookPlan['onGrant'];
}

/** Who wants a run, and where its model calls are told. */
export type RunRequest = BookRequest & Pick<ApiRequest, 'trace'>;

/** What a run works with. */
export type RunServices = BookServices & Pick<Services, 'gateway' | 'answerTimes'>;

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

/** Admits a run: the limiter's slot, the open ledger record and the first wave of calls are one commit. */
export async function openRun(services: RunServices, request: RunRequest, plan: RunPlan): Promise<OpenRun | Refusal> {
  const { ensemble } = plan;
  const firstWave = strategyFor(ensemble).firstWave(ensemble, request.id).map(plannedCall);
  const opened = await openBooks(services, request, { ...plan, firstWave });
  if (isRefusal(opened)) return opened;
  const { books, headers, settle } = opened;

  const play = (audience: Audience): Promise<RunOutcome> =>
    runEnsemble({
      ...services,
      ...audience,
      id: request.id,
      trace: request.trace,
      startedAtMs: request.startedAtMs,
      request: ensemble,
      books,
      clientGone: request.clientGone,
    });
  return {
    headers,
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
      return outcome.ok ? collected : opened.failed(outcome.fault);
    },
  };
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
