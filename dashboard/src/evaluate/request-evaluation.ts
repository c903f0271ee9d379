import { createParser } from 'eventsource-parser';
import { errorOf } from '../api/api-error';
import type { Api } from '../api/client';
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
  const { data, error, response } = await api.POST('/dashboard/evaluations', { body, signal, parseAs: 'stream' });
  if (!response.ok || !(data instanceof ReadableStream)) throw errorOf(response, error);
  const parser = createParser({ onEvent: (event) => tell(JSON.parse(event.data) as EvaluationEvent) });
  const text = (data as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream());
  for await (const piece of text as unknown as AsyncIterable<string>) parser.feed(piece);
}
