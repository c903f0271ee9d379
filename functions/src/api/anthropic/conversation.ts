import * as z from 'zod';
import { ReplyReasoning } from '../../models/gateway/reply-parts';
import { BLANK_MESSAGE, conversationOf, type Messages, type SaidMessage } from '../shared/messages';
import { listOf } from '../shared/schemas';
import { type Blocks, CONTENTS } from './blocks';

const PREFILL_RULE =
  'must be a message of the user: the last message is the prompt, and what the assistant says cannot be begun for it';
const STRAY_RULE = 'must be the id of a tool_use in the last message of the assistant';
/** Marks of one message, more than any provider takes. */
const MARKS_MAX = 4;
/** Block of Claude Code that is for Anthropic's books alone: other in each conversation, it would be kept in no cache. */
const BILLING = 'x-anthropic-billing-header:';

const roles = ['user', 'assistant', 'system'] as const;
const message: z.ZodType<{ readonly role: (typeof roles)[number]; readonly content: Blocks }> = z.discriminatedUnion(
  'role',
  roles.map((role) => z.object({ role: z.literal(role), content: CONTENTS[role] })) as never,
  `must be one of ${roles.join(', ')}`,
);
type Message = z.output<typeof message>;

/** `system` of a request as one message, and whether it is marked for a cache. */
export const systemSchema = CONTENTS.system.transform((blocks) => ({
  text: markedText(blocks.filter(({ text }) => !text?.startsWith(BILLING))).text,
  isMarked: blocks.some(({ isMarked }) => isMarked),
}));

/** `messages` of a request. */
export const conversationSchema = listOf(message, 'must be an array with a message', { min: 1 })
  .describe('The conversation; its last message is the prompt.')
  .transform((messages, context): Messages => {
    const flaw = strayFlaw(messages) ?? promptFlaw(messages);
    if (!flaw) return conversationOf(saidIn(messages), context);
    context.addIssue({ code: 'custom', ...flaw });
    return z.NEVER;
  });

interface Flaw {
  readonly path: PropertyKey[];
  readonly message: string;
}

/** The first result without its call. */
function strayFlaw(messages: readonly Message[]): Flaw | undefined {
  let open = new Set<string>();
  for (const [at, { role, content }] of messages.entries()) {
    if (role === 'assistant') open = new Set(content.flatMap(({ call }) => call?.id ?? []));
    const stray = content.findIndex(({ result }) => result && !open.delete(result.callId));
    if (stray >= 0) return { path: [at, 'content', stray, 'tool_use_id'], message: STRAY_RULE };
  }
  return undefined;
}

/** Reason for which the last message is no prompt. */
function promptFlaw(messages: readonly Message[]): Flaw | undefined {
  const last = messages.length - 1;
  const { role, content } = messages[last] as Message;
  if (role === 'assistant') return { path: [last], message: PREFILL_RULE };
  const isBlank = content.every(({ text = '', image, result }) => text.trim() === '' && !image && !result);
  return isBlank ? { path: [last, 'content'], message: BLANK_MESSAGE } : undefined;
}

/**
 * The messages as the service has them: each result of a tool for itself, before what is said in the same message.
 * Instructions within the conversation stay where they are, in the user's message: they begin no new turn of the user.
 */
function saidIn(messages: readonly Message[]): SaidMessage[] {
  const said: SaidMessage[] = [];
  for (const { role, content } of messages) {
    const last = said.at(-1);
    if (role !== 'system') said.push(...(role === 'user' ? usersOf(content) : [assistantsOf(content)]));
    else if (!last || last.role === 'system') said.push({ role, ...markedText(content) });
    else if (last.role === 'assistant') said.push(instructions(content));
    else if (last.callId !== undefined) said.push({ ...instructions(content), isBeside: true });
    else said[said.length - 1] = joined(last, instructions(content));
  }
  return said;
}

function assistantsOf(blocks: Blocks): SaidMessage {
  const toolCalls = blocks.flatMap(({ call }) => call ?? []);
  const thoughts = new ReplyReasoning();
  for (const { reasoning: piece } of blocks) if (piece) thoughts.add(piece);
  const reasoning = thoughts.whole();
  const called = toolCalls.length > 0 && { toolCalls };
  return { role: 'assistant', ...markedText(blocks), ...called, ...(reasoning && { reasoning }) };
}

function usersOf(blocks: Blocks): SaidMessage[] {
  const results = blocks.flatMap(({ result }): SaidMessage[] => (result ? [{ role: 'user', ...result }] : []));
  const images = blocks.flatMap(({ image }) => image ?? []);
  const { text, ...marks } = markedText(blocks);
  const last = results.at(-1);
  if (last && text === '' && images.length === 0) return [...results.slice(0, -1), { ...last, ...marks }];
  const beside = last && ({ isBeside: true } as const);
  return [...results, { role: 'user', text, ...(images.length > 0 && { images }), ...marks, ...beside }];
}

function instructions(blocks: Blocks): SaidMessage {
  const { text, cacheMarks } = markedText(blocks);
  return { role: 'user', text: `<system>\n${text}\n</system>`, ...(cacheMarks && { cacheMarks: [0] }) };
}

function joined(first: SaidMessage, then: SaidMessage): SaidMessage {
  const added = first.text === '' ? then.text : `\n\n${then.text}`;
  const cacheMarks = [...(first.cacheMarks ?? []).map((behind) => behind + added.length), ...(then.cacheMarks ?? [])];
  return {
    ...first,
    text: first.text + added,
    ...(cacheMarks.length > 0 && { cacheMarks: cacheMarks.slice(-MARKS_MAX) }),
  };
}

/** The texts of blocks as one, with the places up to which it is to be kept in a cache. */
function markedText(blocks: Blocks): Pick<SaidMessage, 'text' | 'cacheMarks'> {
  let text = '';
  const ends = new Set<number>();
  for (const { text: piece, isMarked } of blocks) {
    if (piece) text += text === '' ? piece : `\n${piece}`;
    if (isMarked) ends.add(text.length);
  }
  return { text, ...(ends.size > 0 && { cacheMarks: [...ends].map((end) => text.length - end) }) };
}
