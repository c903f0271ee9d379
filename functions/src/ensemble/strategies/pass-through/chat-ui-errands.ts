/** A chore that a chat UI has done in the background, by the shape of the prompt it sends. */
interface Errand {
  /** Which UI, and what for. */
  readonly name: string;
  /** How the prompt begins; only this much of it is looked at. */
  readonly begins: RegExp;
  /** What else is in it. */
  readonly holds: readonly string[];
  /** How it ends. */
  readonly ends?: string;
}

const CHAT_HISTORY_END = '</chat_history>';

/** The prompts as the UIs send them unless their operators write others. No words of a user make one by accident. */
const ERRANDS: readonly Errand[] = [
  {
    name: 'Open WebUI, title',
    begins: /^### Task:\s{1,4}Generate a concise[^\n]{0,120} title\b/,
    holds: ['### Output:', '<chat_history>'],
    ends: CHAT_HISTORY_END,
  },
  {
    name: 'Open WebUI, tags',
    begins: /^### Task:\s{1,4}Generate 1-3 broad tags categorizing /,
    holds: ['"tags":', '<chat_history>'],
    ends: CHAT_HISTORY_END,
  },
  {
    name: 'Open WebUI, follow-ups',
    begins: /^### Task:\s{1,4}Suggest 3-5 relevant follow-up questions or prompts /,
    holds: ['"follow_ups":', '<chat_history>'],
    ends: CHAT_HISTORY_END,
  },
  {
    name: 'LibreChat, title',
    begins: /^Provide a concise, 5-word-or-less title for the conversation, using title case conventions\./,
    holds: ['Only return the title itself', '\nConversation:'],
  },
  {
    name: 'LibreChat, title with its language',
    begins: /^Analyze this conversation and provide:\s{1,4}1\. The detected language of the conversation/,
    holds: ['A concise title in the detected language'],
  },
  {
    name: 'LibreChat, title in older versions',
    begins: /^Please generate a concise, 5-word-or-less title for the conversation, using its same language/,
    holds: ['||>'],
  },
  {
    name: 'LibreChat, title of an assistant’s thread',
    begins: /^Please generate a concise title \(max 40 characters\) for a conversation that starts with:/,
    holds: ['User:', 'Title:'],
  },
];

const BEGINNING_CHARACTERS = 300;

/** Whether a message is a chat UI's own: nothing is gained by asking several models for a title. Linear. */
export function isChatUiErrand(message: string): boolean {
  const text = message.trim();
  const beginning = text.slice(0, BEGINNING_CHARACTERS);
  return ERRANDS.some(
    ({ begins, holds, ends = '' }) =>
      begins.test(beginning) && text.endsWith(ends) && holds.every((part) => text.includes(part)),
  );
}
