import type { EnsembleResult } from '../../ensemble/open-ensemble';
import type { Finished } from '../../runs/run';
import { planBody } from '../answer/plan-body';
import type { ReplyHead } from '../answer/reply-head';
import { candidateBody, finishReasonOf, toolCallBody, unlessEmpty, usageBody } from '../answer/reply-parts';

/** A chat completion in one piece (`docs/api.md`, Chat completions). */
export function completionBody(
  { id, created, model, ignored }: ReplyHead,
  { result, totals }: Finished<EnsembleResult>,
  content: string,
): object {
  const {
    explanation,
    candidates,
    agreement,
    checks,
    agreementByPlace,
    followUpPrompts,
    sources,
    unsupportedUrls,
    degraded,
    plan,
    toolCalls,
    reasoning,
  } = result;
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          // As in OpenAI's API, which tool loops are written for.
          content: toolCalls && content === '' ? null : content,
          tool_calls: toolCalls?.map(toolCallBody),
          ...reasoning,
          explanation,
        },
        finish_reason: finishReasonOf(result),
        candidates: candidates?.map(candidateBody),
        checks,
        // Where both could be told, the finer one is (docs/api.md, Agreement).
        agreement: agreementByPlace ?? agreement,
        followUpPrompts,
      },
    ],
    sources,
    unsupportedUrls,
    degraded: unlessEmpty(degraded),
    ignored: unlessEmpty(ignored),
    plan: plan && planBody(plan),
    usage: usageBody(totals),
  };
}
