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

const NEVER = new AbortController().signal;

/** What a page asks of the server about runs. All of it throws an `ApiError` where it is refused. */
export interface RunRequests {
  begin(request: RunRequest, signal: AbortSignal): Promise<BegunRun>;
  /** The events after the one of this place. */
  resume(id: string, afterSeq: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  stop(id: string): Promise<void>;
  /** A run without its events, which `resume` gives. */
  read(id: string, signal?: AbortSignal): Promise<Omit<RecordedRun, 'events'>>;
  /** A run that is over, with its events. */
  record(id: string): Promise<RecordedRun>;
}

/** These requests, made by a client of the API. */
export function runRequests(api: Api): RunRequests {
  const resume: RunRequests['resume'] = async (id, afterSeq, signal) => {
    const params = { path: { id }, header: afterSeq < 0 ? {} : { 'Last-Event-ID': String(afterSeq) } };
    const reply = api.GET('/dashboard/runs/{id}/events', { params, signal, parseAs: 'stream' });
    return (await streamOrThrow(reply)).stream;
  };
  const read: RunRequests['read'] = async (id, signal = NEVER) => {
    const path = { id };
    const run = await bodyOrThrow(api.GET('/dashboard/runs/{id}', { params: { path }, signal }));
    const evaluations: unknown[] = [];
    while (evaluations.length < run.evaluationCount) {
      const params = { path, query: { from: evaluations.length } };
      const page = await bodyOrThrow(api.GET('/dashboard/runs/{id}/evaluations', { params, signal }));
      if (page.data.length === 0) break;
      evaluations.push(...page.data);
    }
    return recordedRun(run, evaluations);
  };
  return {
    resume,
    read,
    record: async (id) => {
      const events: RunEvent[] = [];
      const [about, stream] = await Promise.all([read(id), resume(id, -1, NEVER)]);
      await readEvents<RunEvent>(stream, { events: (more) => void events.push(...more) });
      return { ...about, events };
    },
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
