/*
 * `POST /v1/chat/completions`: what is accepted in `request`, what is answered in `reply`. Imports what endpoints share;
 * must not know another endpoint.
 */

import type { RunEstimate } from '../../ensemble/estimate/estimate-run';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { PASS_THROUGH } from '../../ensemble/strategies/strategies';
import { virtualModel } from '../../ensemble/strategies/virtual-models';
import { isRefusal } from '../../errors';
import type { Route } from '../../http/route';
import type { Admitted } from '../../runs/admit';
import type { Finished } from '../../runs/run';
import { streamPlan, wholePlan } from '../answer/plan-reply';
import { replyHead } from '../answer/reply-head';
import { streamReply } from '../answer/stream-reply';
import { tracedRun } from '../answer/traced-run';
import { wholeReply } from '../answer/whole-reply';
import type { EndpointDeps } from '../endpoint-deps';
import { IGNORED_MAX } from '../ensemble-options/ignored';
import { ignoredInstructions } from '../ensemble-options/instructions';
import type { RunFields } from '../ensemble-options/run-fields';
import { openRun } from '../open-run';
import { readRunFields } from '../read-body';
import { completionBody } from './reply';
import { CHAT_FIELDS, chatSchema, TOOL_FIELDS } from './request';

/** `POST /v1/chat/completions`: one conversation, several models, one answer. */
export function chatCompletions(deps: EndpointDeps): Route {
  return {
    method: 'POST',
    path: '/v1/chat/completions',
    endpoint: 'chat.completions',
    limited: true,
    handle: async (request) => {
      const fields = await readRunFields(request, chatSchema, CHAT_FIELDS);
      if (isRefusal(fields)) return fields;
      const opened = await openRun(deps, request, fields);
      if (isRefusal(opened)) return opened;
      const head = replyHead('chatcmpl-', request.startedAtMs, {
        ...fields,
        ignored: [...ignoredSystemMessages(fields), ...ignoredBy(opened, fields.ignored)].slice(0, IGNORED_MAX),
      });
      const bodyOf = (finished: Finished<EnsembleResult>, content: string) => completionBody(head, finished, content);
      if ('plan' in opened) return fields.stream ? streamPlan(opened.plan, head) : wholePlan(opened.plan, bodyOf);
      const traced = tracedRun(deps.keptRuns, fields);
      return fields.stream ? streamReply(opened, head, traced) : wholeReply(opened, bodyOf, traced);
    },
  };
}

function ignoredSystemMessages({ model, messages, ai_ensemble: options }: RunFields): string[] {
  return ignoredInstructions(messages, { ...options, virtual: virtualModel(model) !== undefined });
}

/** What has had no effect on this run: of tools something has where one model answers alone. */
function ignoredBy(
  opened: Admitted<EnsembleResult> | { readonly plan: RunEstimate },
  ignored: readonly string[],
): readonly string[] {
  const strategy = 'plan' in opened ? opened.plan.strategy : opened.opened.about.strategy;
  return strategy === PASS_THROUGH ? ignored.filter((name) => !TOOL_FIELDS.includes(name)) : ignored;
}
