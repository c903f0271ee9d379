/** Conversation of every run: instructions for the arbiter, a past exchange, and the message. */
export const SYSTEM = 'Instructions of the caller: ~system~. Sign as the umpire.';
const EARLIER = 'What is a berry? ~user.earlier~';
const REPLY = 'A fruit of one ovary. ~assistant.earlier~';
export const PROMPT = 'Is a tomato one? ~user.now~';

/** The request's messages. */
export const MESSAGES = [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: EARLIER },
  { role: 'assistant', content: REPLY },
  { role: 'user', content: PROMPT },
] as const;

/** The turns before the last one, as every model must be shown them. */
export const HISTORY = [
  { role: 'user', text: EARLIER },
  { role: 'assistant', text: REPLY },
] as const;

/** Sampling of the arbiter. */
export const SAMPLING = { temperature: 0.3, topP: 0.9 } as const;

/** In everybody's input once; the instructions are not among them. */
export const CONVERSATION_TOKENS = ['user.earlier', 'assistant.earlier', 'user.now'] as const;
