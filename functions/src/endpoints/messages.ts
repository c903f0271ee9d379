import * as z from 'zod';
import type { ChatTurn } from '../models/model';

/** Roles real clients send, and what each is to us (spec "ChatMessage", plus `developer` and `function`). */
const ROLES: ReadonlyMap<unknown, 'system' | 'user' | 'assistant'> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'user'],
  ['function', 'user'],
] as const);
const ROLE_RULE = 'must be one of system, user, assistant, tool';
/** Where a tool call stands in the place of words. */
const MAY_BE_EMPTY: ReadonlySet<unknown> = new Set(['assistant', 'tool', 'function']);
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'input_text']);
const CONTENT_RULE = 'must be a string or an array of text parts';
const INVALID_MESSAGES = 'Invalid messages array';
/** Of a client's own words, no more than this is repeated in an error. */
const ECHO_CHARACTERS_MAX = 50;

/** A conversation: the last message is the prompt, earlier non-system messages are history. */
export interface Messages {
  readonly prompt: string;
  readonly history: readonly ChatTurn[];
  /** The first system message before the prompt. */
  readonly systemPrompt?: string;
}

/** The first thing wrong, and where. */
class Flaw {
  readonly path: readonly (string | number)[];
  readonly rule: string;

  constructor(path: readonly (string | number)[], rule: string) {
    this.path = path;
    this.rule = rule;
  }
}

/**
 * The `messages` of a chat request, read as the spec's rules 1 to 3 say. Read by hand and only up to the first flaw:
 * a schema library collects an issue for each of a million bad elements, in gigabytes of memory.
 */
export const messagesSchema = z.unknown().transform((value, context): Messages => {
  const read = readMessages(value);
  if (!(read instanceof Flaw)) return read;
  context.addIssue({ code: 'custom', path: [...read.path], message: read.rule });
  return z.NEVER;
});

interface Line {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

function readMessages(value: unknown): Messages | Flaw {
  if (!Array.isArray(value) || value.length === 0) return new Flaw([], INVALID_MESSAGES);
  const lines: Line[] = [];
  for (const [index, message] of value.entries()) {
    const line = readMessage(message, index);
    if (line instanceof Flaw) return line;
    lines.push(line);
  }
  const prompt = lines.pop()?.text ?? '';
  if (prompt.trim() === '') {
    return new Flaw([lines.length, 'content'], 'the last message is the prompt and must not be empty');
  }
  const system = lines.find(({ role, text }) => role === 'system' && text !== '');
  const history = lines.flatMap(({ role, text }): ChatTurn[] =>
    role === 'system' || text === '' ? [] : [{ role, text }],
  );
  return { prompt, history, ...(system && { systemPrompt: system.text }) };
}

function readMessage(message: unknown, index: number): Line | Flaw {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return new Flaw([index], 'must be an object with role and content');
  }
  const { role: name, content } = message as { role?: unknown; content?: unknown };
  const role = ROLES.get(name);
  if (role === undefined) return new Flaw([index, 'role'], ROLE_RULE);
  if (typeof content === 'string') return { role, text: content };
  if (Array.isArray(content)) {
    const text = readParts(content, index);
    return text instanceof Flaw ? text : { role, text };
  }
  const absent = content === undefined || content === null;
  return absent && MAY_BE_EMPTY.has(name) ? { role, text: '' } : new Flaw([index, 'content'], CONTENT_RULE);
}

/** Text parts are joined by a newline; any other part is refused by its type. */
function readParts(parts: readonly unknown[], index: number): string | Flaw {
  const texts: string[] = [];
  for (const [at, part] of parts.entries()) {
    const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
    const path = [index, 'content', at];
    if (!TEXT_PARTS.has(type)) {
      const name = typeof type === 'string' ? JSON.stringify(type.slice(0, ECHO_CHARACTERS_MAX)) : 'without a name';
      return new Flaw(path, `unsupported content part type ${name}: only text parts are supported`);
    }
    if (typeof text !== 'string') return new Flaw(path, 'must have a string "text"');
    texts.push(text);
  }
  return texts.join('\n');
}
