import type { ModelPrompt } from '../../models/model';
import { DATA_RULE } from '../../prompting/fence';
import type { PromptBlock, PromptDraft } from '../../prompting/prompt-draft';
import type { Opening } from '../run';
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

/** The final answer: streamed, plain, and complete in itself. */
export function answerPrompt(
  opening: Opening,
  { material, task }: { readonly material: readonly PromptBlock[]; readonly task: readonly string[] },
): PromptDraft {
  return arbiterPrompt(opening, [
    ...material,
    DATA_RULE,
    ...task,
    'Write for the user, who has seen none of this: do not mention candidates, labels, drafts or this procedure.',
  ]);
}

/** The one repair of a reply that could not be read. */
export function repairPrompt(original: ModelPrompt, reply: string): ModelPrompt {
  const complaint = 'That could not be read. Reply again with the one JSON object asked for, and nothing else.';
  return {
    ...original,
    turns: [...original.turns, { role: 'assistant', text: reply }, { role: 'user', text: complaint }],
  };
}

/** The arbiter alone is shown the caller's own instructions. Without a task it answers the message directly. */
export function arbiterPrompt({ request, conversation }: Opening, task: readonly PromptBlock[]): PromptDraft {
  return { system: request.systemPrompt, conversation, task };
}
