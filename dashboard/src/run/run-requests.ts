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
  /** A run, with its events once it is over. */
  read(id: string, signal: AbortSignal): Promise<Omit<RecordedRun, 'events'> & Partial<RecordedRun>>;
  /** A run with all its events: one that is under way is waited for. */
  record(id: string): Promise<RecordedRun>;
}

/** These requests, made by a client of the API. */
export function runRequests(api: Api): RunRequests {
  const resume: RunRequests['resume'] = async (id, afterSeq, signal) => {
    const params = { path: { id }, header: afterSeq < 0 ? {} : { 'Last-Event-ID': String(afterSeq) } };
    const reply = api.GET('/dashboard/runs/{id}/events', { params, signal, parseAs: 'stream' });
    return (await streamOrThrow(reply)).stream;
  };
  const eventsOf = async (id: string, signal: AbortSignal): Promise<RunEvent[]> => {
    const events: RunEvent[] = [];
    await readEvents<RunEvent>(await resume(id, -1, signal), { events: (more) => void events.push(...more) });
    return events;
  };
  const read: RunRequests['read'] = async (id, signal) => {
    const path = { id };
    const run = await bodyOrThrow(api.GET('/dashboard/runs/{id}', { params: { path }, signal }));
    const evaluations: unknown[] = [];
    while (evaluations.length < run.evaluationCount) {
      const params = { path, query: { from: evaluations.length } };
      const page = await bodyOrThrow(api.GET('/dashboard/runs/{id}/evaluations', { params, signal }));
      if (page.data.length === 0) break;
      evaluations.push(...page.data);
    }
    const about = recordedRun(run, evaluations);
    return run.state === 'running' ? about : { ...about, events: await eventsOf(id, signal) };
  };
  return {
    resume,
    read,
    record: async (id) => {
      const { events, ...about } = await read(id, NEVER);
      return { ...about, events: events ?? (await eventsOf(id, NEVER)) };
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
