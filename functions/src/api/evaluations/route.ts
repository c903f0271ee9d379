/*
 * `POST /v1/evaluations`: what is accepted in `request`, what is answered in `reply`. Imports what endpoints share and
 * `evaluation/`; must not know another endpoint.
 */
import { isRefusal } from '../../errors';
import { openEvaluation } from '../../evaluation/open-evaluation';
import type { Route } from '../../http/route';
import { admit } from '../../runs/admit';
import { wholeReply } from '../answer/whole-reply';
import type { EndpointDeps } from '../endpoint-deps';
import { readBody } from '../read-body';
import { evaluationBody } from './reply';
import { evaluationFlaw, evaluationRequest, evaluationSchema } from './request';

/** `POST /v1/evaluations`: given responses, scored by judge models. Too many calls are refused before any is made. */
export function evaluations(deps: EndpointDeps): Route {
  return {
    method: 'POST',
    path: '/v1/evaluations',
    endpoint: 'evaluations',
    limited: true,
    handle: async (request) => {
      const fields = await readBody(request, evaluationSchema, evaluationFlaw);
      if (isRefusal(fields)) return fields;
      const evaluation = evaluationRequest(deps, fields);
      if (isRefusal(evaluation)) return evaluation;
      const opened = openEvaluation(evaluation, { labelKey: deps.labelKey, requestId: request.id });
      if (isRefusal(opened)) return opened;
      const admitted = await admit(deps, request, opened);
      if (isRefusal(admitted)) return admitted;
      return wholeReply(admitted, (finished) => evaluationBody(evaluation, finished));
    },
  };
}
