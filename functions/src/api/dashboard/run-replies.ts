import type { JsonTextReply } from '../../http/reply';
import type { AskedRun, Unpacked } from '../../runs/kept-runs';
import type { KeptRun } from '../../runs/run-store';

/** A kept run as lists show it. */
export function summaryBody(run: KeptRun): object {
  const { runId: id, startedAtMs, endpoint, prompt, strategy, rounds, models, state, message } = run;
  const { promptTokens, completionTokens, costNanoUsd, calls, durationMs } = run;
  const sums = { promptTokens, completionTokens, costNanoUsd, calls, durationMs };
  return { id, startedAtMs, endpoint, prompt, strategy, rounds, models, state, message, ...sums };
}

/** A kept run with its request, which is not taken apart to be put together again. */
export function askedRunReply({ run, request }: AskedRun): JsonTextReply {
  const head = JSON.stringify({ ...summaryBody(run), evaluationCount: run.evaluationCount });
  const fields = [head.slice(0, -1), ...request.texts.map((text) => `"request":${text}`)];
  return { json: `${fields.join(',')}}`, release: request.release };
}

/** A page of the evaluations of a run, with the place that the next one begins at where this one is not empty. */
export function evaluationsReply({ texts, release }: Unpacked, from: number): JsonTextReply {
  const next = texts.length > 0 ? `,"next":${from + texts.length}` : '';
  return { json: `{"data":[${texts.join(',')}]${next}}`, release };
}
