import type { ModelPrompt } from '../../models/model';
import { DATA_RULE } from '../../prompting/fence';
import type { PromptBlock, PromptDraft } from '../../prompting/prompt-draft';
import { finalFormWords } from '../form/form-words';
import type { Opening } from '../run';
import { USERS_WISHES } from '../waves/users-wishes';
import { type AnalysisForm, analysisShape } from './analysis';

/** The analysis before the answer: a structured comparison, never shown as it is. */
export function analysisPrompt(
  opening: Opening,
  { material, form }: { readonly material: readonly PromptBlock[]; readonly form: AnalysisForm },
): PromptDraft {
  return arbiterPrompt(opening, [
    ...material,
    DATA_RULE,
    `Judge each ${form.noun} with care. Decide every conflict by evidence and reasoning, not by how many say so. A point that only one of them makes may be the right one.`,
    `Reply with one JSON object and nothing else:\n${analysisShape(form)}`,
  ]);
}

/** The final answer: streamed, plain, and as the user wants it. */
export function answerPrompt(
  opening: Opening,
  { material, task }: { readonly material: readonly PromptBlock[]; readonly task: readonly string[] },
): PromptDraft {
  const { answerForm } = opening.request;
  return arbiterPrompt(opening, [...material, DATA_RULE, ...task, USERS_WISHES, ...finalFormWords(answerForm)]);
}

/** Of a reply that is to be given again, no more is shown. */
const SHOWN_REPLY_MAX = 50_000;

/** The one repair of a reply that could not be read. */
export function repairPrompt(original: ModelPrompt, reply: string): ModelPrompt {
  const complaint = 'That could not be read. Reply again with the one JSON object asked for, and nothing else.';
  return {
    ...original,
    turns: [...original.turns, { role: 'assistant', text: reply }, { role: 'user', text: complaint }],
  };
}

/** The one repair of an answer that is not in the form asked for. */
export function formRepairPrompt(original: ModelPrompt, reply: string, flaws: readonly string[]): ModelPrompt {
  const shown = reply.length > SHOWN_REPLY_MAX ? `${reply.slice(0, SHOWN_REPLY_MAX).toWellFormed()}…` : reply;
  const complaint = `That is not in the form asked for: ${flaws.join('; ')}. Give the whole answer again as one JSON value in that form, and nothing else.`;
  const { tools: _, ...rest } = original;
  return {
    ...rest,
    turns: [...original.turns, { role: 'assistant', text: shown }, { role: 'user', text: complaint }],
  };
}

/** The arbiter's own instructions come with the conversation. Without a task it answers the message directly. */
export function arbiterPrompt({ request, conversation }: Opening, task: readonly PromptBlock[]): PromptDraft {
  return { system: request.systemPrompt, conversation, task };
}
