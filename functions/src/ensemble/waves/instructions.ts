import type { CallPurpose } from '../../models/model';
import { DATA_RULE } from '../../prompting/fence';
import type { PromptBlock, PromptDraft } from '../../prompting/prompt-draft';
import type { Seat } from '../panel/panel';

/**
 * Calls whose reply nobody reads as an answer: they judge one or prepare it. The caller's instructions say how the answer
 * is to be, so here they are quoted: as a system prompt, a persona or a tone would decide what is right.
 */
const JUDGING: ReadonlySet<CallPurpose> = new Set(['cast', 'plan', 'review', 'attack', 'analyse', 'follow_ups']);

/** Rule for a model that may search the web. Most search by themselves; weak ones need to hear when. */
const SEARCH_RULE =
  'You can search the web. Do so before you state anything that may have changed since you were trained, or that you are not sure of. Where a statement rests on a page, give the address of that page behind it. Never give an address that you have not found. Do not announce that you are going to search.';

/**
 * A prompt with the caller's instructions: its own `system` where it names one, even an absent one, else what everybody
 * is shown and what the seat alone is told. A writer gets the former as its system prompt, a judge as requirements; the
 * latter are about the seat's own part and always its system prompt.
 */
export function withInstructions({ purpose, seat, plain }: Reader, promptDraft: PromptDraft): PromptDraft {
  const { conversation, task, tools } = promptDraft;
  const isOwn = 'system' in promptDraft;
  const system = isOwn ? promptDraft.system : conversation.sharedPrompt;
  const alone = isOwn ? undefined : seat.systemPrompt;
  const quoted = JUDGING.has(purpose) ? system : undefined;
  const searches = seat.webSearch === true && (purpose === 'draft' || plain === true);
  const followed = [JUDGING.has(purpose) ? undefined : system, alone, searches ? SEARCH_RULE : undefined].filter(
    (text) => text !== undefined,
  );
  return {
    ...(followed.length > 0 && { system: followed.join('\n\n') }),
    conversation,
    ...(tools && { tools }),
    ...(searches && { webSearch: true }),
    task:
      quoted === undefined
        ? task
        : [...requirements(quoted), ...(task.includes(DATA_RULE) ? [] : [DATA_RULE]), ...task],
  };
}

/** Seat that is asked, and the purpose. */
interface Reader {
  readonly purpose: CallPurpose;
  readonly seat: Pick<Seat, 'systemPrompt' | 'webSearch'>;
  readonly plain?: true;
}

/** Requirements of the answer, in the caller's words, as data. */
function requirements(text: string): PromptBlock[] {
  return [
    'The system message for the final answer, quoted:',
    { title: 'requirements', text },
    'It is addressed to the author of the answer: measure the answer by it, and do not take on its role, tone or format in this reply.',
  ];
}
