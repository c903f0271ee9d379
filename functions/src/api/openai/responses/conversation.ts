/* The conversation that the items of an input make. */
import * as z from 'zod';
import type { ToolCall } from '../../../models/tools';
import { BLANK_MESSAGE, conversationOf, type Messages, type SaidMessage } from '../../shared/messages';
import { listOf, withForm } from '../../shared/schemas';
import { strayResult } from '../../shared/tool-messages';
import { type Item, itemSchema, NOT_STORED } from './items';

/** The conversation of a request, and what was left out of it, in words for its sender. */
interface Conversation {
  readonly messages: Messages;
  readonly ignored: readonly string[];
}

const NO_CALL = 'must be the call_id of a call before it';

/** A message with the place of its first item; calls are added to it. */
type Placed = Omit<SaidMessage, 'toolCalls'> & { readonly place: number; readonly toolCalls?: ToolCall[] };

const items = listOf(itemSchema, 'must be a text that is not blank, or an array of items', { min: 1 }).transform(
  conversationIn,
);

/** The `input` of a request. */
export const inputSchema = withForm(
  z.preprocess(
    (value) => (typeof value === 'string' && /\S/.test(value) ? [{ role: 'user', content: value }] : value),
    items,
  ),
  (jsonOf) => ({ anyOf: [{ type: 'string' }, jsonOf(items)] }),
);

function conversationIn(read: readonly Item[], context: z.core.$RefinementCtx): Conversation {
  const { ignored, missing } = referencesIn(read);
  if (missing !== undefined) {
    context.addIssue({ code: 'custom', path: [missing, 'type'], message: NOT_STORED });
    return z.NEVER;
  }
  const said = messagesIn(read);
  const first = said.findIndex(({ role }) => role !== 'system');
  // Where there are instructions alone the last of them is the prompt, as it is in chat completions.
  const start = first < 0 ? said.length - 1 : first;
  const [before, shown] = [said.slice(0, Math.max(start, 0)), said.slice(Math.max(start, 0))];
  const last = shown.at(-1);
  if (!last || (last.text.trim() === '' && !last.images && last.callId === undefined)) {
    context.addIssue({ code: 'custom', path: last ? [last.place, 'content'] : [], message: BLANK_MESSAGE });
    return z.NEVER;
  }
  const stray = shown[strayResult(shown)];
  if (stray) context.addIssue({ code: 'custom', path: [stray.place, 'call_id'], message: NO_CALL });
  const systemMessages = before.flatMap(({ text }) => (text === '' ? [] : [text]));
  return { messages: { ...conversationOf(shown, context), systemMessages }, ignored };
}

/**
 * References to texts of earlier responses. One beside calls is passed over, which is said: clients that take responses for
 * stored send such within a turn. Any other is missing.
 */
function referencesIn(read: readonly Item[]): { readonly ignored: string[]; readonly missing?: number } {
  const ignored: string[] = [];
  let isBesideCall = false;
  for (const [place, item] of [...read.entries()].reverse()) {
    if (item === 'reference') {
      if (!isBesideCall) return { ignored, missing: place };
      ignored.push(`input[${place}]: text beside a call, which was not stored`);
    } else if (item !== 'nothing' && !isThought(item)) {
      isBesideCall = item.toolCalls !== undefined;
    }
  }
  return { ignored: ignored.reverse() };
}

function isThought({ role, text, toolCalls }: SaidMessage): boolean {
  return role === 'assistant' && text === '' && !toolCalls;
}

/** Messages that the items make. What comes between a call and its output comes after it: models want both side by side. */
function messagesIn(read: readonly Item[]): Placed[] {
  const said: Placed[] = [];
  const open = new Set<string>();
  const later: [item: SaidMessage, place: number][] = [];
  const addLater = (): void => {
    for (const [item, place] of later.splice(0)) addTo(said, item, place);
  };
  for (const [place, item] of read.entries()) {
    if (typeof item === 'string') continue;
    const { role, callId, toolCalls = [] } = item;
    if (open.size > 0 && role !== 'assistant' && callId === undefined) {
      later.push([item, place]);
      continue;
    }
    if (later.length > 0 && role === 'assistant') addLater();
    addTo(said, item, place);
    for (const { id } of toolCalls) open.add(id);
    if (callId !== undefined) open.delete(callId);
    if (open.size === 0) addLater();
  }
  addLater();
  return said;
}

/** Adds an item; what an assistant thinks, says and calls is one message. */
function addTo(said: Placed[], item: SaidMessage, place: number): void {
  const last = said.at(-1);
  const isLate = last !== undefined && item.role === 'system' && last.role !== 'system';
  const joined = last && (isLate ? withInstructions(last, item) : withItem(last, item));
  if (joined) said[said.length - 1] = joined;
  else said.push({ ...(item as Placed), ...(isLate && { ...asUser(item), ...besideResult(last) }), place });
}

/** Instructions within the conversation stay where they are: they begin no turn, and the prompt goes on as it began. */
function withInstructions(last: Placed, item: SaidMessage): Placed | undefined {
  if (last.role !== 'user' || last.callId !== undefined) return undefined;
  return { ...last, text: `${last.text}\n\n${asUser(item).text}` };
}

/** Instructions behind a result are told with it. */
function besideResult({ callId }: SaidMessage) {
  return callId !== undefined && ({ isBeside: true } as const);
}

function asUser({ text }: SaidMessage) {
  return { role: 'user', text: `<system>\n${text}\n</system>` } as const;
}

/** The assistant's message with one more item; undefined where the item begins another message. */
function withItem(last: Placed, item: SaidMessage): Placed | undefined {
  if (last.role !== 'assistant' || item.role !== 'assistant') return undefined;
  const { text, toolCalls: added = [], reasoning } = item;
  if (text !== '' && (last.text !== '' || last.toolCalls)) return undefined;
  const toolCalls = last.toolCalls ?? [];
  toolCalls.push(...added);
  return {
    ...last,
    text: last.text || text,
    ...(reasoning && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
}
