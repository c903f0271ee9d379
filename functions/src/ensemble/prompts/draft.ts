import type { Conversation, PromptSheet } from '../sheet';

/** Round 1: a participant answers on its own; it sees the conversation and nothing else. */
export function draftPrompt(conversation: Conversation): PromptSheet {
  return { conversation, task: [] };
}

/** Pass-through: the arbiter alone answers, with the caller's own instructions. */
export function directPrompt(conversation: Conversation, system: string | undefined): PromptSheet {
  return { ...(system !== undefined && { system }), conversation, task: [] };
}
