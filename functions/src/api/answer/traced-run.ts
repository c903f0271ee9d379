import { anySignal } from '../../lib/any-signal';
import type { Admitted } from '../../runs/admit';
import type { KeptRuns } from '../../runs/kept-runs';
import type { LiveRun } from '../../runs/live-run';
import type { TracedEvent } from '../../runs/trace-event';
import type { RunFields } from '../ensemble-options/run-fields';
import { keptRequest } from '../runs/kept-request';

/** Begins the trace of a run that is about to be played; `tell` gets each event as it may be shown. */
export type BeginTrace = (admitted: Admitted<unknown>, tell: (event: TracedEvent) => void) => LiveRun;

/** How the run that a request asks for is traced, and kept unless it says otherwise; undefined where no trace is asked for. */
export function tracedRun(
  keptRuns: KeptRuns,
  { messages, store, sent, ai_ensemble: { includeTrace } }: RunFields & { readonly sent: object },
): BeginTrace | undefined {
  if (!includeTrace) return undefined;
  const kept = { prompt: messages.message, request: keptRequest(sent), isStored: store };
  return (admitted, tell) => keptRuns.begin(admitted, kept, tell);
}

/** The run as it is to be played: it ends when its client leaves, and when its user stops it elsewhere. */
export function playedAs<Result>(admitted: Admitted<Result>, live: LiveRun | undefined): Admitted<Result> {
  if (!live) return admitted;
  const { request } = admitted;
  return { ...admitted, request: { ...request, clientGone: anySignal(request.clientGone, live.stopped) } };
}
