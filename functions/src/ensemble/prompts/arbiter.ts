import type { ModelPrompt } from '../../models/model';
import { type AnalysisForm, analysisShape } from '../analysis';
import type { Block, Conversation, PromptSheet } from '../sheet';
import { DATA_RULE } from './task';

/** What the arbiter is given for one of its calls. */
interface ArbiterTask {
  /** The caller's own instructions. */
  readonly system: string | undefined;
  readonly material: readonly Block[];
}

/** The analysis before the answer: a structured comparison, never shown as it is. */
export function analysisPrompt(
  conversation: Conversation,
  { system, material, form }: ArbiterTask & { readonly form: AnalysisForm },
): PromptSheet {
  return arbiterSheet(conversation, system, [
    ...material,
    DATA_RULE,
    `Judge each ${form.noun} with care. Decide every conflict by evidence and reasoning, not by how many say so. A point that only one of them makes may be the right one.`,
    `Reply with one JSON object and nothing else:\n${analysisShape(form)}`,
  ]);
}

/** The final answer: streamed, plain, and complete in itself. */
export function answerPrompt(
  conversation: Conversation,
  { system, material, task }: ArbiterTask & { readonly task: readonly string[] },
): PromptSheet {
  return arbiterSheet(conversation, system, [
    ...material,
    DATA_RULE,
    ...task,
    'Write for the user, who has seen none of this: do not mention candidates, labels, drafts or this procedure.',
  ]);
}

/** The one repair of a reply that could not be read. */
export function repairPrompt(original: ModelPrompt, reply: string): ModelPrompt {
  return {
    ...original,
    turns: [
      ...original.turns,
      { role: 'assistant', text: reply },
      {
        role: 'user',
        text: 'That could not be read. Reply again with the one JSON object asked for, and nothing else.',
      },
    ],
  };
}

function arbiterSheet(conversation: Conversation, system: string | undefined, task: readonly Block[]): PromptSheet {
  return { ...(system !== undefined && { system }), conversation, task };
}
