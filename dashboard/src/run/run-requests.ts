import type { Api } from '../api/client';
import { bodyOrThrow, streamOrThrow } from '../api/client';
import type { KeptRun, RunRequest } from './run-events';

/** A run that was begun. */
export interface BegunRun {
  readonly id: string;
  readonly events: ReadableStream<Uint8Array>;
}

/** What a page asks of the server about runs. All of it throws an `ApiError` where it is refused. */
export interface RunRequests {
  begin(request: RunRequest, signal: AbortSignal): Promise<BegunRun>;
  /** The events after the one of this place. */
  resume(id: string, afterSeq: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  stop(id: string): Promise<void>;
  read(id: string, signal: AbortSignal): Promise<KeptRun>;
}

/** These requests, made by a client of the API. */
export function runRequests(api: Api): RunRequests {
  return {
    begin: async (body, signal) => {
      const reply = api.POST('/dashboard/runs', { body, signal, parseAs: 'stream' });
      const { stream, response } = await streamOrThrow(reply);
      return { id: response.headers.get('x-request-id') ?? '', events: stream };
    },
    resume: async (id, afterSeq, signal) => {
      const params = { path: { id }, header: { 'Last-Event-ID': String(afterSeq) } };
      const reply = api.GET('/dashboard/runs/{id}/events', { params, signal, parseAs: 'stream' });
      return (await streamOrThrow(reply)).stream;
    },
    stop: async (id) => {
      await bodyOrThrow(api.POST('/dashboard/runs/{id}/stop', { params: { path: { id } } }));
    },
    read: (id, signal) => bodyOrThrow(api.GET('/dashboard/runs/{id}', { params: { path: { id } }, signal })),
  };
}
