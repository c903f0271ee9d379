/*
 * `GET /v1/runs/{id}/events`: a run with a trace, for a client that has lost its stream. The dashboard sends the same
 * (`events-reply`).
 */
import type { Route } from '../../http/route';
import type { EndpointDeps } from '../endpoint-deps';
import { eventsReply } from './events-reply';

/** `GET /v1/runs/{id}/events`: the trace of a run of the caller's user. */
export function runEvents({ keptRuns }: EndpointDeps): Route {
  return {
    method: 'GET',
    path: '/v1/runs/{id}/events',
    endpoint: 'runs',
    limited: false,
    handle: (request) => eventsReply(keptRuns, { ...request, userId: request.caller.userId }),
  };
}
