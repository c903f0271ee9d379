import { TraceEvent } from '../../runs/trace-event';
import { eventsReply, FOLLOWED } from '../shared/events-reply';
import { keyRoute } from '../shared/operation';

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
