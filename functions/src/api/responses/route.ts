/*
 * `POST /v1/responses`: what is accepted in `request`, the strategy read from the model id in `strategy-in-model`, what is
 * answered in `reply`. Imports what endpoints share; must not know another endpoint.
 */
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { isRefusal } from '../../errors';
import type { Route } from '../../http/route';
import type { Finished } from '../../runs/run';
import { streamPlan, wholePlan } from '../answer/plan-reply';
import { replyHead } from '../answer/reply-head';
import { streamReply } from '../answer/stream-reply';
import { tracedRun } from '../answer/traced-run';
import { wholeReply } from '../answer/whole-reply';
import type { EndpointDeps } from '../endpoint-deps';
import { openRun } from '../open-run';
import { readRunFields } from '../read-body';
import { responseBody } from './reply';
import { RESPONSE_FIELDS, responsesSchema } from './request';

/** `POST /v1/responses`: one message without a conversation; conversations are not stored. */
export function responses(deps: EndpointDeps): Route {
  return {
    method: 'POST',
    path: '/v1/responses',
    endpoint: 'responses',
    limited: true,
    handle: async (request) => {
      const fields = await readRunFields(request, responsesSchema, RESPONSE_FIELDS);
      if (isRefusal(fields)) return fields;
      const opened = await openRun(deps, request, fields);
      if (isRefusal(opened)) return opened;
      const head = replyHead('resp_', request.startedAtMs, fields);
      const bodyOf = (finished: Finished<EnsembleResult>, content: string) => responseBody(head, finished, content);
      if ('plan' in opened) return fields.stream ? streamPlan(opened.plan, head) : wholePlan(opened.plan, bodyOf);
      const traced = tracedRun(deps.keptRuns, fields);
      return fields.stream ? streamReply(opened, head, traced) : wholeReply(opened, bodyOf, traced);
    },
  };
}
