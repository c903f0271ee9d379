import type { ModelPrompt } from '../../models/model';
import { DATA_RULE } from '../../prompting/fence';
import type { PromptBlock, PromptDraft } from '../../prompting/prompt-draft';
import { finalCheckWords } from '../checks/check-words';
import { finalFormWords } from '../form/form-words';
import type { Opening } from '../run';
import { USERS_WISHES } from '../waves/users-wishes';
import { type AnalysisForm, analysisShape, LANGUAGE_RULE, MAJORITY_RULE } from './analysis';

/** The analysis before the answer: a structured comparison, never shown as it is. */
export function analysisPrompt(
  opening: Opening,
  { material, form }: { readonly material: readonly PromptBlock[]; readonly form: AnalysisForm },
): PromptDraft {
  const compared = form.parts.some(({ key }) => key === 'agreements') && !material.includes(MAJORITY_RULE);
  return arbiterPrompt(opening, [
    ...material,
    DATA_RULE,
    `Check each of them claim by claim.${compared ? ` ${MAJORITY_RULE}` : ''}`,
    `Reply with one JSON object and nothing else. ${LANGUAGE_RULE} In running text put labels in brackets.\n${analysisShape(form)}`,
  ]);
}

/** The final answer: streamed, plain, and as the user wants it. */
export function answerPrompt(
  opening: Opening,
  { material, task }: { readonly material: readonly PromptBlock[]; readonly task: readonly string[] },
): PromptDraft {
  const { answerForm, checks } = opening.request;
  return arbiterPrompt(opening, [
    ...material,
    DATA_RULE,
    ...task,
    USERS_WISHES,
    ...finalFormWords(answerForm),
    ...finalCheckWords(checks),
  ]);
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
  const complaint = `That is not in the form asked for: ${flaws.join('; ')}. Give the whole answer again as one JSON value in that form, and nothing else.`;
  return answerAgain(original, reply, complaint);
}

/** The one repair of an answer that fails the caller's checks. */
export function checksRepairPrompt(original: ModelPrompt, reply: string, flaws: readonly string[]): ModelPrompt {
  const complaint = `A program has checked your answer, and it fails: ${flaws.join('; ')}. Give the whole answer again so that everything required of it is true. Reply with the corrected answer and nothing else: no word about the check or about what you changed.`;
  return answerAgain(original, reply, complaint);
}

/** No tools: what they have told is in the answer already. */
function answerAgain({ tools: _, ...original }: ModelPrompt, reply: string, complaint: string): ModelPrompt {
  const shown = reply.length > SHOWN_REPLY_MAX ? `${reply.slice(0, SHOWN_REPLY_MAX).toWellFormed()}…` : reply;
  return {
    ...original,
    turns: [...original.turns, { role: 'assistant', text: shown }, { role: 'user', text: complaint }],
  };
}

/** The arbiter's own instructions come with the conversation. Without a task it answers the message directly. */
export function arbiterPrompt({ request, conversation }: Opening, task: readonly PromptBlock[]): PromptDraft {
  return { system: request.systemPrompt, conversation, task };
}
