import * as z from 'zod';
import { BLANK_MESSAGE, conversationOf, type Messages, type SaidMessage } from '../shared/messages';
import { listOf } from '../shared/schemas';
import { type Block, CONTENTS, textsOf } from './blocks';

const PREFILL_RULE =
  'must be a message of the user: the last message is the prompt, and what the assistant says cannot be begun for it';
const STRAY_RULE = 'must be the id of a tool_use in the last message of the assistant';
/** Block of Claude Code that is for Anthropic's books alone: other in each conversation, it would be kept in no cache. */
const BILLING = 'x-anthropic-billing-header:';

const message = z.discriminatedUnion(
  'role',
  [
    z.object({ role: z.literal('user'), content: CONTENTS.user }),
    z.object({ role: z.literal('assistant'), content: CONTENTS.assistant }),
    z.object({ role: z.literal('system'), content: CONTENTS.system }),
  ],
  'must be user, assistant or system',
);
type Message = z.output<typeof message>;

/** `system` of a request: one system message; its last block may be marked for a cache. */
export const systemSchema = CONTENTS.system.transform((blocks) => {
  const texts = textsOf(blocks).filter((text) => !text.startsWith(BILLING));
  return { text: texts.join('\n\n'), isMarked: blocks.some(({ isMarked }) => isMarked) };
});

/** `messages` of a request. */
export const conversationSchema = listOf(message as z.ZodType<Message>, 'must be an array with a message', { min: 1 })
  .describe('The conversation; its last message is the prompt.')
  .transform((messages, context): Messages => {
    const flaw = flawOf(messages);
    if (!flaw) return conversationOf(saidIn(messages), context);
    context.addIssue({ code: 'custom', ...flaw });
    return z.NEVER;
  });

interface Flaw {
  readonly path: PropertyKey[];
  readonly message: string;
}

/** The first thing wrong between messages: a result of no call, or a last message that is no prompt. */
function flawOf(messages: readonly Message[]): Flaw | undefined {
  let open = new Set<string>();
  for (const [at, { role, content }] of messages.entries()) {
    if (role === 'assistant') open = new Set(content.flatMap(({ call }) => call?.id ?? []));
    if (role !== 'user') continue;
    const stray = content.findIndex(({ result }) => result && !open.delete(result.callId));
    if (stray >= 0) return { path: [at, 'content', stray, 'tool_use_id'], message: STRAY_RULE };
  }
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
    if (role === 'assistant') said.push(assistantsOf(content));
    else if (role === 'user') said.push(...usersOf(content));
    else if (said.every((each) => each.role === 'system')) said.push({ role, text: textsOf(content).join('\n') });
    else addInstructions(said, content);
  }
  return said;
}

function assistantsOf(blocks: readonly Block[]): SaidMessage {
  const toolCalls = blocks.flatMap(({ call }) => call ?? []);
  // Each token has all that was thought before it.
  const { reasoning } = blocks.findLast((block) => block.reasoning) ?? {};
  return {
    role: 'assistant',
    ...markedText(blocks),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(reasoning && { reasoning }),
  };
}

function usersOf(blocks: readonly Block[]): SaidMessage[] {
  const results = blocks.flatMap(({ result }): SaidMessage[] => {
    if (!result) return [];
    const { callId, text = '', images } = result;
    return [{ role: 'user', text, callId, ...(images.length > 0 && { images }) }];
  });
  const images = blocks.flatMap(({ image }) => image ?? []);
  const { text, cacheMarks } = markedText(blocks);
  const marks = cacheMarks && { cacheMarks };
  const last = results.at(-1);
  if (last && text === '' && images.length === 0) return [...results.slice(0, -1), { ...last, ...marks }];
  const beside = last && ({ isBeside: true } as const);
  return [...results, { role: 'user', text, ...(images.length > 0 && { images }), ...marks, ...beside }];
}

/** The texts of blocks as one, with the places up to which it is to be kept in a cache. */
function markedText(blocks: readonly Block[]): Pick<SaidMessage, 'text' | 'cacheMarks'> {
  let text = '';
  const ends = new Set<number>();
  for (const { text: piece, isMarked } of blocks) {
    if (piece) text += text === '' ? piece : `\n${piece}`;
    if (isMarked) ends.add(text.length);
  }
  return { text, ...(ends.size > 0 && { cacheMarks: [...ends].map((end) => text.length - end) }) };
}

function addInstructions(said: SaidMessage[], blocks: readonly Block[]): void {
  const { text: words, cacheMarks: marks } = markedText(blocks);
  const text = `<system>\n${words}\n</system>`;
  const last = said.at(-1);
  if (last?.role !== 'user' || last.callId !== undefined) {
    const beside = last?.role === 'user' && ({ isBeside: true } as const);
    said.push({ role: 'user', text, ...beside, ...(marks && { cacheMarks: [0] }) });
    return;
  }
  const added = last.text === '' ? text : `\n\n${text}`;
  const { cacheMarks = [] } = last;
  const moved = [...cacheMarks.map((behind) => behind + added.length), ...(marks ? [0] : [])];
  said[said.length - 1] = { ...last, text: last.text + added, ...(moved.length > 0 && { cacheMarks: moved }) };
}
