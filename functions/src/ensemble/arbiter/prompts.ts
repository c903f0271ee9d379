import type { ModelPrompt } from '../../models/model';
import { DATA_RULE } from '../../prompting/fence';
import type { PromptBlock, PromptDraft } from '../../prompting/prompt-draft';
import { finalFormWords } from '../form/form-words';
import type { Opening } from '../run';
import { finalWords } from '../waves/task-words';
import { type AnalysisForm, analysisShape, LANGUAGE_RULE, MAJORITY_RULE } from './analysis';

/** The analysis before the answer: a structured comparison, never shown as it is. */
export function analysisPrompt(
  opening: Opening,
  { material, form }: { readonly material: readonly PromptBlock[]; readonly form: AnalysisForm },
): PromptDraft {
  const compared = form.parts.some(({ key }) => key === 'agreements');
  return arbiterPrompt(opening, [
    ...material,
    ...unseenWords(opening),
    ...ownFactsWords(opening, ANALYSED),
    DATA_RULE,
    `Check each text above claim by claim.${compared ? ` ${MAJORITY_RULE}` : ''}`,
    `Reply with one JSON object and nothing else. ${LANGUAGE_RULE} In running text put labels in brackets.\n${analysisShape(form)}`,
  ]);
}

/** The final answer: streamed, plain, and as the user wants it. */
export function answerPrompt(
  opening: Opening,
  { material, task }: { readonly material: readonly PromptBlock[]; readonly task: readonly string[] },
): PromptDraft {
  return arbiterPrompt(opening, [
    ...material,
    ...unseenWords(opening),
    ...ownFactsWords(opening, KEPT),
    DATA_RULE,
    ...task,
    finalWords(opening.request.systemPrompt !== undefined),
    ...finalFormWords(opening.request),
  ]);
}

/** A caller's system message that the participants did not get: their texts cannot follow it. */
function unseenWords({ request: { systemPrompt, sharedPrompt } }: Opening): string[] {
  if (systemPrompt === undefined || sharedPrompt !== undefined) return [];
  return ['Their authors were not shown the system message.'];
}

/** Participants with instructions of their own may know from there what nobody else can confirm. */
function ownFactsWords({ request: { panel } }: Opening, rule: string): string[] {
  if (panel.participants.every(({ systemPrompt }) => systemPrompt === undefined)) return [];
  return [`Some authors have instructions or documents of their own, which you are not shown. ${rule}`];
}

const ANALYSED = 'Do not take a detail that one alone gives for invented because you cannot check it.';
const KEPT =
  'Keep a detail that one alone gives, if the user needs it and the others merely lack it; if you doubt it, call it unconfirmed.';

/** Characters shown at most of a reply that is to be given again. */
const SHOWN_REPLY_MAX = 50_000;

/** The one repair of a reply that could not be read. */
export function repairPrompt(original: ModelPrompt, reply: string): ModelPrompt {
  return answerAgain(original, reply, 'That could not be read. Reply again with just the JSON object asked for.');
}

/** The one repair of an answer that is not in the form asked for. */
export function formRepairPrompt(original: ModelPrompt, reply: string, flaws: readonly string[]): ModelPrompt {
  const complaint = `That is not in the format asked for: ${flaws.join('; ')}. Give the whole answer again as one JSON value in that format, and nothing else.`;
  return answerAgain(original, reply, complaint);
}

/** The one repair of an answer that fails the caller's checks. */
export function checksRepairPrompt(original: ModelPrompt, reply: string, flaws: readonly string[]): ModelPrompt {
  const complaint = `A program has checked your answer, and it fails: ${flaws.join('; ')}. Correct it so that it meets every requirement. Reply with the whole corrected answer and nothing else: no word about the check or about what you changed.`;
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
