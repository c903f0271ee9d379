import type { CallPurpose } from '../../models/model';
import { DATA_RULE } from '../../prompting/fence';
import type { PromptBlock, PromptDraft } from '../../prompting/prompt-draft';
import type { Seat } from '../panel/panel';

/**
 * Calls whose reply nobody reads as an answer: they judge one or prepare it. The caller's instructions say how the answer
 * is to be, so here they are quoted: as a system prompt, a persona or a tone would decide what is right.
 */
const JUDGING: ReadonlySet<CallPurpose> = new Set(['cast', 'plan', 'review', 'attack', 'analyse', 'follow_ups']);

/**
 * A prompt with the caller's instructions: its own `system` where it names one, even an absent one, else what everybody
 * is shown and what the seat alone is told. A writer gets the former as its system prompt, a judge as requirements; the
 * latter are about the seat's own part and always its system prompt.
 */
export function withInstructions({ purpose, seat }: Reader, promptDraft: PromptDraft): PromptDraft {
  const { conversation, task, tools } = promptDraft;
  const isOwn = 'system' in promptDraft;
  const system = isOwn ? promptDraft.system : conversation.sharedPrompt;
  const alone = isOwn ? undefined : seat.systemPrompt;
  const quoted = JUDGING.has(purpose) ? system : undefined;
  const followed = [JUDGING.has(purpose) ? undefined : system, alone].filter((text) => text !== undefined);
  return {
    ...(followed.length > 0 && { system: followed.join('\n\n') }),
    conversation,
    ...(tools && { tools }),
    task:
      quoted === undefined
        ? task
        : [...requirements(quoted), ...(task.includes(DATA_RULE) ? [] : [DATA_RULE]), ...task],
  };
}

/** Who is asked, and what for. */
interface Reader {
  readonly purpose: CallPurpose;
  readonly seat: Pick<Seat, 'systemPrompt'>;
}

/** What the answer must meet, in the caller's words, as data. */
function requirements(text: string): PromptBlock[] {
  return [
    'What was required of the final answer, quoted:',
    { title: 'requirements', text },
    'The requirements are for whoever writes the answer: measure by them what an answer must be, and do not take on their role, tone or form in this reply.',
  ];
}
