import * as z from 'zod';
import { isRefusal, type Refusal, refuse } from '../../errors';
import type { StreamReply } from '../../http/reply';
import type { ApiRequest } from '../../http/route';
import type { KeptRuns } from '../../runs/kept-runs';
import { TraceEvent } from '../../runs/trace-event';
import { keyRoute } from '../shared/operation';

const place = (description: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .describe(description);

/** Names of the last event that a client has, for the document. */
export const FOLLOWED = {
  headers: { 'Last-Event-ID': place('The last event that the client has; default: none.') },
  query: { after: place('The same, for clients that send no header of their own.') },
};

/** One refusal for runs of others and for runs that do not exist. */
export function refuseUnknownRun(): Refusal {
  return refuse('not_found', 'Unknown run');
}

/** Request for the events of a run behind the one that `Last-Event-ID`, else `after` in the query, names. */
interface EventsRequest extends Pick<ApiRequest, 'resourceId' | 'lastEventId' | 'query' | 'clientGone'> {
  readonly userId: string;
}

/**
 * The events of a run as server-sent events, each with its `seq` as id: those behind the one that is named, and what comes
 * up to the end of the run. A client that reads slowly is waited for, and nobody else is.
 */
export async function eventsReply(
  keptRuns: KeptRuns,
  { userId, resourceId, lastEventId, query, clientGone }: EventsRequest,
): Promise<StreamReply | Refusal> {
  const from = nextEvent(lastEventId, query.get('after'));
  if (isRefusal(from)) return from;
  const pieces = await keptRuns.follow({ userId, runId: resourceId ?? '', from }, clientGone);
  if (pieces === undefined) return refuseUnknownRun();
  if (isRefusal(pieces)) return pieces;
  return {
    headers: {},
    bridged: true,
    play: async (events) => {
      for await (const piece of pieces) {
        for (const [at, event] of piece.events.entries()) {
          events.write(event, piece.from + at);
          const isSlow = events.backPressure();
          if (isSlow) await isSlow;
        }
      }
    },
  };
}

/** The event to begin with. Clients that have none yet send no id, or an empty one. */
function nextEvent(lastEventId: string | undefined, after: string | null): number | Refusal {
  const [name, text] = lastEventId ? ['Last-Event-ID', lastEventId] : ['after', after ?? ''];
  if (text === '') return 0;
  if (/^\d{1,9}$/.test(text)) return Number(text) + 1;
  return refuse('invalid_request', `Invalid ${name}: must be the id of an event, a whole number`);
}

/** A run with a trace, for a client that has lost its stream. */
export const getRunEvents = keyRoute({
  get: '/v1/runs/{id}/events',
  endpoint: 'runs',
  id: 'getRunEvents',
  tag: 'Answers',
  summary: 'Follow a run that has a trace, from its beginning or from any event',
  description: 'Each event has its `seq` as id. The stream ends behind the event `end`.',
  resource: 'The id of a run of the same user: the `x-request-id` of its reply.',
  ...FOLLOWED,
  reply: TraceEvent,
  streams: 'always',
  run: ({ keptRuns }, request) => eventsReply(keptRuns, { ...request, userId: request.caller.userId }),
});
