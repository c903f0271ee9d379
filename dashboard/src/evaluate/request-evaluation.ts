import { type Api, streamOrThrow } from '../api/client';
import { readEvents } from '../api/read-events';
import type { EvaluationEvent, EvaluationQuestion } from './evaluation-state';

/** Asks judges, and hands on what the server tells of them until it has told all. Throws an `ApiError` where it is refused. */
export async function requestEvaluation(
  api: Api,
  question: EvaluationQuestion,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (event: EvaluationEvent) => void },
): Promise<void> {
  const { prompt, responses, judges, mode, runId } = question;
  const body = {
    prompt,
    responses: [...responses],
    judge_models: [...judges],
    strategy: 'standard' as const,
    evaluation_mode: mode,
    weighted: false,
    ...(runId !== undefined && { runId }),
  };
  const reply = api.POST('/dashboard/evaluations', { body, signal, parseAs: 'stream' });
  const { stream } = await streamOrThrow(reply);
  await readEvents<EvaluationEvent>(stream, { events: (events) => events.forEach(tell) });
}
