import type { WholeRun } from '../../runs/kept-runs';
import type { KeptRun } from '../../runs/run-store';

/** A kept run as lists show it. */
export function summaryBody(run: KeptRun): object {
  const { runId: id, startedAtMs, endpoint, prompt, strategy, rounds, models, state, message } = run;
  const { promptTokens, completionTokens, costNanoUsd, calls, durationMs } = run;
  const sums = { promptTokens, completionTokens, costNanoUsd, calls, durationMs };
  return { id, startedAtMs, endpoint, prompt, strategy, rounds, models, state, message, ...sums };
}

/** A kept run with all that is kept of it. */
export function wholeRunBody({ run, request, events, evaluations }: WholeRun): object {
  return { ...summaryBody(run), request, events, evaluations };
}
