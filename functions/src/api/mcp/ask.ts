import type { CallToolResult } from '@modelcontextprotocol/server';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { isRefusal, type Refusal } from '../../errors';
import type { Finished } from '../../runs/run';
import { openRun } from '../answer/answering';
import { wholeReply } from '../answer/replies';
import { modelField, runFields } from '../ensemble-options/run-fields';
import { messagesSchema } from '../shared/messages';
import { objectOf } from '../shared/schemas';
import type { AskFields } from './fields';
import { costSentence, type McpCall, textResult } from './mcp-call';

/** The virtual model of the default panel. */
const MODEL = 'ensemble';
const RunRequest = objectOf({ model: modelField, messages: messagesSchema, ...runFields });

/** Answers a question as the same request to the chat endpoint would be; with `dryRun` it tells what that would cost. */
export async function ask(
  { deps, request, tell }: McpCall,
  { question, context, ...options }: AskFields & { readonly dryRun?: true },
): Promise<CallToolResult | Refusal> {
  const content = context?.trim() ? `${context}\n\n${question}` : question;
  const sent = { model: MODEL, messages: [{ role: 'user', content }], ai_ensemble: options };
  const opened = await openRun(deps, request, { ...RunRequest.parse(sent), sent });
  if (isRefusal(opened)) return opened;
  const reply = await wholeReply(opened, (finished, text) => textResult(text, ...notesOn(finished)), tell);
  return isRefusal(reply) ? reply : reply.body;
}

function notesOn({ result: { plan, agreement, degraded }, totals }: Finished<EnsembleResult>): string[] {
  const planned = plan?.models.map(({ modelId, calls }) => `${modelId} ${calls}`);
  if (plan) return [[`Calls: ${planned?.join(', ')}.`, ...plan.leftOut].join('\n')];
  const less = degraded.length > 0 ? [`Less than was asked for: ${degraded.join('; ')}.`] : [];
  return [[...(agreement ? [`Agreement: ${agreement.words}`] : []), ...less, costSentence(totals)].join('\n')];
}
