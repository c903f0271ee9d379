import { createParser } from 'eventsource-parser';
import { errorOf } from '../api/api-error';
import type { Api } from '../api/client';
import type { EvaluationEvent, EvaluationQuestion } from './evaluation-state';

// Until the routes are in the OpenAPI document.
type Untyped = (path: string, init: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Asks judges, and hands on what the server tells of them until it has told all. Throws an `ApiError` where it is refused. */
export async function requestEvaluation(
  client: Api,
  question: EvaluationQuestion,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (event: EvaluationEvent) => void },
): Promise<void> {
  const { prompt, responses, judges, mode, runId } = question;
  const body = {
    prompt,
    responses,
    judge_models: judges,
    evaluation_mode: mode,
    ...(runId !== undefined && { runId }),
  };
  const api = client as unknown as { POST: Untyped };
  const { data, error, response } = await api.POST('/dashboard/evaluations', { body, signal, parseAs: 'stream' });
  if (!response.ok || !(data instanceof ReadableStream)) throw errorOf(response, error);
  const parser = createParser({ onEvent: (event) => tell(JSON.parse(event.data) as EvaluationEvent) });
  const text = (data as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream());
  for await (const piece of text as unknown as AsyncIterable<string>) parser.feed(piece);
}
