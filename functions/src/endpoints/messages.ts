import * as z from 'zod';
import type { ChatTurn } from '../models/model';
import { objectOf } from './parse';

/** Roles real clients send, and what each is to us (spec "ChatMessage", plus `developer` and `function`). */
const ROLES = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
  function: 'user',
} as const;
const ROLE_NAMES = ['system', 'user', 'assistant', 'tool', 'developer', 'function'] as const;
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'input_text']);
const CONTENT_RULE = 'must be a string or an array of text parts';

const part = z.unknown().transform((value, context) => {
  const { type, text } = (value ?? {}) as { type?: unknown; text?: unknown };
  if (TEXT_PARTS.has(type) && typeof text === 'string') return text;
  const message = TEXT_PARTS.has(type)
    ? 'must have a string "text"'
    : `unsupported content part type ${JSON.stringify(type ?? null)}: only text parts are supported`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** Text parts are joined by a newline; null content is fine where a tool call stands in its place. */
const message = objectOf(
  {
    role: z.enum(ROLE_NAMES, `must be one of ${ROLE_NAMES.slice(0, 4).join(', ')}`),
    content: z.union([z.string(), z.array(z.unknown())], CONTENT_RULE).optional(),
  },
  'must be an object with role and content',
).transform(({ role, content }, context) => {
  const mayBeEmpty = role === 'assistant' || role === 'tool' || role === 'function';
  if (content === undefined && !mayBeEmpty) {
    context.addIssue({ code: 'custom', path: ['content'], message: CONTENT_RULE });
    return z.NEVER;
  }
  if (typeof content !== 'object') return { role: ROLES[role], text: content ?? '' };
  const parts = z.array(part).safeParse(content);
  if (parts.success) return { role: ROLES[role], text: parts.data.join('\n') };
  const issue = parts.error.issues[0];
  context.addIssue({
    code: 'custom',
    path: ['content', ...(issue?.path ?? [])],
    message: issue?.message ?? CONTENT_RULE,
  });
  return z.NEVER;
});

const INVALID_MESSAGES = 'Invalid messages array';

/** The `messages` of a chat request, read as the spec's rules 1 to 3 say. */
export const messagesSchema = z
  .array(message, INVALID_MESSAGES)
  .min(1, INVALID_MESSAGES)
  .transform((messages, context): Messages => {
    const earlier = messages.slice(0, -1);
    const prompt = messages.at(-1)?.text ?? '';
    if (prompt.trim() === '') {
      const rule = 'the last message is the prompt and must not be empty';
      context.addIssue({ code: 'custom', path: [messages.length - 1, 'content'], message: rule });
    }
    const system = earlier.find(({ role, text }) => role === 'system' && text !== '');
    const history = earlier.flatMap(({ role, text }): ChatTurn[] =>
      role === 'system' || text === '' ? [] : [{ role, text }],
    );
    return { prompt, history, ...(system && { systemPrompt: system.text }) };
  });

/** A conversation: the last message is the prompt, earlier non-system messages are history. */
export interface Messages {
  readonly prompt: string;
  readonly history: readonly ChatTurn[];
  /** The first system message before the prompt. */
  readonly systemPrompt?: string;
}
