import type { Api } from '../api/client';
import { bodyOrThrow, streamOrThrow } from '../api/client';
import { readEvents } from '../api/read-events';
import type { RecordedRun, RunEvent, RunRequest } from './run-events';
import { recordedRun } from './run-file';

/** A run that was begun. */
export interface BegunRun {
  readonly id: string;
  readonly events: ReadableStream<Uint8Array>;
}

/** The requests of a page about runs. All of them throw an `ApiError` where they are refused. */
export interface RunRequests {
  begin(request: RunRequest, signal: AbortSignal): Promise<BegunRun>;
  /** The events after the one of this place. */
  resume(id: string, afterSeq: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  stop(id: string): Promise<void>;
  /** A run, with its events once it is over; where it is to be whole, that is waited for. */
  read(id: string, signal: AbortSignal, isWhole?: true): Promise<Omit<RecordedRun, 'events'> & Partial<RecordedRun>>;
}

/** These requests, made by a client of the API. */
export function runRequests(api: Api): RunRequests {
  const resume: RunRequests['resume'] = async (id, afterSeq, signal) => {
    // Of a run from its beginning on none is known.
    const header = { 'Last-Event-ID': afterSeq < 0 ? '' : `${afterSeq}` };
    const params = { path: { id }, header };
    const reply = api.GET('/dashboard/runs/{id}/events', { params, signal, parseAs: 'stream' });
    return (await streamOrThrow(reply)).stream;
  };
  const read: RunRequests['read'] = async (id, signal, isWhole) => {
    const path = { id };
    const run = await bodyOrThrow(api.GET('/dashboard/runs/{id}', { params: { path }, signal }));
    const evaluations: unknown[] = [];
    while (evaluations.length < run.evaluationCount) {
      const params = { path, query: { from: evaluations.length } };
      const { data } = await bodyOrThrow(api.GET('/dashboard/runs/{id}/evaluations', { params, signal }));
      if (data.length === 0) break;
      evaluations.push(...data);
    }
    const about = recordedRun(run, evaluations);
    if (run.state === 'running' && !isWhole) return about;
    const events: RunEvent[] = [];
    await readEvents<RunEvent>(await resume(id, -1, signal), { events: (more) => void events.push(...more) });
    return { ...about, events };
  };
  return {
    resume,
    read,
    begin: async (body, signal) => {
      const reply = api.POST('/dashboard/runs', { body, signal, parseAs: 'stream' });
      const { stream, response } = await streamOrThrow(reply);
      return { id: response.headers.get('x-request-id') ?? '', events: stream };
    },
    stop: async (id) => {
      await bodyOrThrow(api.POST('/dashboard/runs/{id}/stop', { params: { path: { id } } }));
    },
  };
}
