import type { EnsembleRequest } from '../../ensemble/run';
import type { Messages } from '../shared/messages';

/** Options that decide who follows the instructions of a request. */
export interface InstructionOptions {
  readonly systemPrompt?: string | undefined;
  readonly shareSystemPrompt?: boolean | undefined;
  /** True if the model id stands for an ensemble: a chat UI's user has no other way to instruct its members. */
  readonly virtual: boolean;
}

/**
 * Readers of each system message (`docs/api.md`, Messages). `ai_ensemble.systemPrompt` is the arbiter's and takes the
 * place of the first system message there; what participants are shown, when it is shared, are the messages themselves.
 */
export function instructionsOf(
  { systemMessages }: Pick<Messages, 'systemMessages'>,
  { systemPrompt, virtual, shareSystemPrompt = virtual }: InstructionOptions,
): Pick<EnsembleRequest, 'systemPrompt' | 'sharedPrompt'> {
  const [first, ...further] = systemMessages;
  const leading = systemPrompt || first;
  const own = leading === undefined ? [] : [leading];
  const arbiters = virtual ? [...own, ...further] : own;
  return {
    ...(arbiters.length > 0 && { systemPrompt: arbiters.join('\n\n') }),
    ...(shareSystemPrompt && first !== undefined && { sharedPrompt: systemMessages.join('\n\n') }),
  };
}

/** System messages that nobody follows, or not the arbiter, in words for their sender. */
export function ignoredInstructions(
  { systemMessages }: Pick<Messages, 'systemMessages'>,
  { virtual, shareSystemPrompt = virtual }: InstructionOptions,
): string[] {
  const count = systemMessages.length - 1;
  if (virtual || count < 1) return [];
  const further = `messages: ${count} system message${count === 1 ? '' : 's'} after the first`;
  return [shareSystemPrompt ? `${further}, for the arbiter` : further];
}
