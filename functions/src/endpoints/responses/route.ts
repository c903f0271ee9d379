/*
 * `POST /v1/responses`: what is accepted in `request`, the strategy read from the model id in `strategy-in-model`, what is
 * answered in `reply`. Imports what endpoints share; must not know another endpoint.
 */
import { openEnsemble } from '../../ensemble/open-ensemble';
import { isRefusal } from '../../errors';
import type { Route } from '../../http/route';
import { admit } from '../../runs/admit';
import { replyHead } from '../answer/reply-head';
import { streamReply } from '../answer/stream-reply';
import { wholeReply } from '../answer/whole-reply';
import type { EndpointDeps } from '../endpoint-deps';
import { ensembleRequest } from '../ensemble-options/ensemble-request';
import { readBody } from '../read-body';
import { responseBody } from './reply';
import { responsesSchema } from './request';

/** `POST /v1/responses`: one message without a conversation; conversations are not stored. */
export function responses(deps: EndpointDeps): Route {
  return {
    method: 'POST',
    path: '/v1/responses',
    endpoint: 'responses',
    limited: true,
    handle: async (request) => {
      const fields = await readBody(request, responsesSchema);
      if (isRefusal(fields)) return fields;
      const ensemble = ensembleRequest(deps, fields);
      if (isRefusal(ensemble)) return ensemble;
      const opened = openEnsemble(ensemble, request.id, deps.answerTimes);
      const admitted = await admit(deps, request, opened);
      if (isRefusal(admitted)) return admitted;
      const head = replyHead('resp_', request.startedAtMs, fields.model);
      if (fields.stream) return streamReply(admitted, head);
      return wholeReply(admitted, (finished, content) => responseBody(head, finished, content));
    },
  };
}
