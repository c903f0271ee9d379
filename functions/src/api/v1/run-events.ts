import * as z from 'zod';
import { isRefusal, type Refusal, refuse } from '../../errors';
import type { StreamReply } from '../../http/reply';
import type { ApiRequest } from '../../http/route';
import type { KeptRuns } from '../../runs/kept-runs';
import { TraceEvent } from '../../runs/trace-event';
import { keyRoute } from '../shared/operation';
import { optional } from '../shared/schemas';

const EVENT_ID = /^\d{1,9}$/;
const place = z.string().meta({ pattern: EVENT_ID.source });

/** Names of the last event that a client has; none yet, or an empty one: from the beginning. */
export const FOLLOWED = {
  headers: { 'Last-Event-ID': place.describe('The last event that the client has; default: none.') },
  query: z.object({ after: optional(place, 'The same, for clients that send no header of their own.') }),
};

/** One refusal for runs of others and for runs that do not exist. */
export function refuseUnknownRun(): Refusal {
  return refuse('not_found', 'Unknown run');
}

/** Request for the events of a run behind the one that `Last-Event-ID`, else `after` in the query, names. */
interface EventsRequest extends Pick<ApiRequest, 'resourceId' | 'lastEventId' | 'clientGone'> {
  readonly userId: string;
  readonly after?: string | undefined;
}

/**
 * The events of a run as server-sent events, each with its `seq` as id: those behind the one that is named, and what comes
 * up to the end of the run. A client that reads slowly is waited for, and nobody else is.
 */
export async function eventsReply(
  keptRuns: KeptRuns,
  { userId, resourceId, lastEventId, after = '', clientGone }: EventsRequest,
): Promise<StreamReply | Refusal> {
  const last = lastEventId || after;
  if (last !== '' && !EVENT_ID.test(last)) {
    const name = lastEventId ? 'Last-Event-ID' : 'after';
    return refuse('invalid_request', `Invalid ${name}: must be the id of an event, a whole number`);
  }
  const from = last === '' ? 0 : Number(last) + 1;
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

/** A run with a trace, for a client that has lost its stream. */
export const getRunEvents = keyRoute({
  at: 'GET /v1/runs/{id}/events',
  endpoint: 'runs',
  id: 'getRunEvents',
  tag: 'Answers',
  summary: 'Follow a run that has a trace, from its beginning or from any event',
  description: 'Each event has its `seq` as id. The stream ends behind the event `end`.',
  resource: 'The id of a run of the same user: the `x-request-id` of its reply.',
  ...FOLLOWED,
  reply: TraceEvent,
  streams: 'always',
  run: ({ keptRuns }, request, { after }) =>
    eventsReply(keptRuns, { ...request, userId: request.caller.userId, after }),
});
