import * as z from 'zod';
import type { ChatTurn } from '../models/model';
import { listOf, objectOf } from './schemas';

/** The roles that real clients send, and what each means here. */
const ROLES = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
  function: 'user',
} as const;
const ROLE_NAMES = Object.keys(ROLES) as (keyof typeof ROLES)[];
/** The roles in which a tool call may stand in the place of words. */
const MAY_BE_EMPTY: readonly string[] = ['assistant', 'tool', 'function'];
const TEXT_PARTS: readonly unknown[] = ['text', 'input_text'];
const CONTENT_RULE = 'must be a string or an array of text parts';
/** Of a client's own words, no more than this is repeated in an error. */
const ECHO_CHARACTERS_MAX = 50;

/** A conversation: its last message, earlier non-system messages as history, and the system messages. */
export interface Messages {
  readonly message: string;
  readonly history: readonly ChatTurn[];
  /** The system messages before the last message, oldest first; none is empty. */
  readonly systemMessages: readonly string[];
}

const textPart = z.unknown().transform((part, context): string => {
  const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
  if (!TEXT_PARTS.includes(type)) {
    const name = typeof type === 'string' ? JSON.stringify(type.slice(0, ECHO_CHARACTERS_MAX)) : 'without a name';
    context.addIssue(`unsupported content part type ${name}: only text parts are supported`);
  } else if (typeof text !== 'string') {
    context.addIssue('must have a string "text"');
  }
  return typeof text === 'string' ? text : z.NEVER;
});

const content = z.preprocess(
  (value) => (typeof value === 'string' ? [{ type: 'text', text: value }] : value),
  listOf(textPart, { rule: CONTENT_RULE }),
);

const message = objectOf(
  { role: z.enum(ROLE_NAMES, 'must be one of system, user, assistant, tool'), content: content.optional() },
  'must be an object with role and content',
).transform(({ role, content: parts }, context) => {
  if (parts || MAY_BE_EMPTY.includes(role)) return { role: ROLES[role], text: parts?.join('\n') ?? '' };
  context.addIssue({ code: 'custom', path: ['content'], message: CONTENT_RULE });
  return z.NEVER;
});

/** The `messages` of a chat request (`docs/api.md`, Messages). */
export const messagesSchema = listOf(message, { rule: 'Invalid messages array', min: 1 }).transform(
  (messages, context): Messages => {
    const last = messages.pop()?.text ?? '';
    if (last.trim() === '') {
      const path = [messages.length, 'content'];
      context.addIssue({ code: 'custom', path, message: 'the last message is the prompt and must not be empty' });
      return z.NEVER;
    }
    const said = messages.filter(({ text }) => text !== '');
    const history = said.flatMap(({ role, text }): ChatTurn[] => (role === 'system' ? [] : [{ role, text }]));
    const systemMessages = said.filter(({ role }) => role === 'system').map(({ text }) => text);
    return { message: last, history, systemMessages };
  },
);
