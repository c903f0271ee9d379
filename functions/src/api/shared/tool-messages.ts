import type { ImageAttachment } from '../../models/images';
import { type ChatTurn, spokenBy } from '../../models/model';
import { reasoningIn } from '../../models/reasoning';
import type { ToolCall, ToolResult } from '../../models/tools';

/** A message as it was read; none of the system. */
export interface ReadMessage extends Omit<ChatTurn, 'pieces' | 'toolResults'> {
  /** Call that a tool's message is the result of. */
  readonly callId?: string;
  /** Set of what was said in one message with the results before it: it is part of their turn. */
  readonly isBeside?: true;
}

/** A conversation with its tool calls, as one model that answers alone is shown it. */
export interface ToolTurns {
  readonly history: readonly ChatTurn[];
  readonly message: string;
  readonly images?: readonly ImageAttachment[];
  readonly name?: string;
  readonly cacheMarks?: readonly number[];
  /** Results of tools, where the last messages are such; the message is what was said beside them, if anything. */
  readonly toolResults?: readonly ToolResult[];
}

/** Text and speaker of a message: an assistant may have refused, and the name of a tool's is that of the tool. */
export function saidIn(
  role: string,
  text: string,
  fields: Readonly<Record<string, unknown>>,
): Omit<ReadMessage, 'role'> {
  const { name, refusal } = fields;
  if (role === 'tool' || role === 'function') return { text };
  if (role !== 'assistant') return spokenBy(name, text, { inField: role === 'user' });
  const toolCalls = toolCallsOf(fields['tool_calls']);
  const reasoning = reasoningIn(fields);
  return {
    ...spokenBy(name, text === '' && typeof refusal === 'string' ? refusal : text),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(reasoning && { reasoning }),
  };
}

/** The tool calls of an assistant's message; what is none is passed over, as in requests without tools. */
function toolCallsOf(value: unknown): ToolCall[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((call: unknown) => {
    const { id, function: called } = (call ?? {}) as { readonly id?: unknown; readonly function?: unknown };
    const { name, arguments: text = '{}' } = (called ?? {}) as {
      readonly name?: unknown;
      readonly arguments?: unknown;
    };
    if (typeof id !== 'string' || id === '' || typeof name !== 'string' || name === '') return [];
    return [{ id, name, arguments: typeof text === 'string' ? text : JSON.stringify(text) }];
  });
}

/**
 * The conversation with calls and results side by side, and with what its model thought; undefined where there is nothing
 * of these. A call without its result and a result without its call are what they are without tools: nothing, and a text
 * of the user.
 */
export function toolTurns(messages: readonly ReadMessage[]): ToolTurns | undefined {
  const turns: ChatTurn[] = [];
  for (let index = 0; index < messages.length; index += 1) {
    const { callId: _, isBeside: __, toolCalls = [], ...said } = messages[index] as ReadMessage;
    const results = resultsOf(toolCalls, messages, index + 1);
    const toldCalls = toolCalls.filter(({ id }) => results.has(id));
    if (results.size > 0) {
      turns.push({ ...said, toolCalls: toldCalls });
      index += results.size;
      const { text = '', images, cacheMarks } = besideResults(messages, index);
      turns.push({
        ...{ role: 'user', text, toolResults: [...results.values()] },
        ...(images && { images }),
        ...(cacheMarks && { cacheMarks }),
      });
      if (messages[index + 1]?.isBeside) index += 1;
    } else if (said.text !== '' || said.images) {
      turns.push(said);
    }
  }
  if (turns.every(({ toolResults, reasoning }) => !toolResults && !reasoning)) return undefined;
  const { text: message = '', role: _, reasoning: __, ...last } = turns.pop() ?? {};
  return { history: turns, message, ...last };
}

/** Words and pictures beside the result at this place, and the marks of either. */
function besideResults(messages: readonly ReadMessage[], at: number): Partial<ReadMessage> {
  const { [at]: result, [at + 1]: next } = messages;
  return next?.isBeside ? next : { ...(result?.cacheMarks && { cacheMarks: result.cacheMarks }) };
}

/** Place of the first result without a call of the assistant before it; -1 where there is none. */
export function strayResult(
  messages: readonly (Pick<ReadMessage, 'callId' | 'toolCalls'> & { readonly role: string })[],
): number {
  let open = new Set<string>();
  return messages.findIndex(({ role, callId, toolCalls = [] }) => {
    if (callId !== undefined) return !open.delete(callId);
    if (role !== 'system') open = new Set(toolCalls.map(({ id }) => id));
    return false;
  });
}

/** Results of these calls in the messages from `start` on, by call; ends with the first that returns to none. */
function resultsOf(calls: readonly ToolCall[], messages: readonly ReadMessage[], start: number) {
  const results = new Map<string, ToolResult>();
  if (calls.length === 0) return results;
  const names = new Map(calls.map(({ id, name }) => [id, name]));
  for (let index = start; index < messages.length; index += 1) {
    const { callId = '', text = '', images } = messages[index] ?? {};
    const name = names.get(callId);
    if (name === undefined) break;
    names.delete(callId);
    results.set(callId, { callId, name, text, ...(images && { images }) });
  }
  return results;
}
