/*
 * `POST /v1/chat/completions`: what is accepted in `request`, what is answered in `reply`. Imports what endpoints share;
 * must not know another endpoint.
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
import { completionBody } from './reply';
import { chatSchema } from './request';

/** `POST /v1/chat/completions`: one conversation, several models, one answer. */
export function chatCompletions(deps: EndpointDeps): Route {
  return {
    method: 'POST',
    path: '/v1/chat/completions',
    endpoint: 'chat.completions',
    limited: true,
    handle: async (request) => {
      const fields = await readBody(request, chatSchema);
      if (isRefusal(fields)) return fields;
      const ensemble = ensembleRequest(deps, fields);
      if (isRefusal(ensemble)) return ensemble;
      const opened = openEnsemble(ensemble, request.id, deps.answerTimes);
      const admitted = await admit(deps, request, opened);
      if (isRefusal(admitted)) return admitted;
      const head = replyHead('chatcmpl-', request.startedAtMs, fields.model);
      if (fields.stream) return streamReply(admitted, head);
      return wholeReply(admitted, (finished, content) => completionBody(head, finished, content));
    },
  };
}
