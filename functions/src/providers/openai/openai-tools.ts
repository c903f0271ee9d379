import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ChatTurn, RequestPart } from '../../models/model';
import type { ToolCall, ToolOffer } from '../../models/tools';
import type { CalledTools } from '../transport/called-tools';
import type { LongTexts } from '../transport/long-texts';
import { argumentsText, fieldsOf, textOf, wellFormedJson } from '../transport/reply-fields';

type ToolRequest = Pick<ChatCompletionCreateParamsStreaming, 'tools' | 'tool_choice' | 'parallel_tool_calls'>;

/** The fields of a request that offer tools. */
export function toolFields({ tools, choice, parallel }: ToolOffer, without: readonly RequestPart[]): ToolRequest {
  return {
    tools: tools.map((tool) => ({ type: 'function', function: { ...tool } })),
    ...(choice && { tool_choice: typeof choice === 'string' ? choice : { type: 'function', function: choice } }),
    ...(parallel !== undefined && !without.includes('parallelToolCalls') && { parallel_tool_calls: parallel }),
  };
}

/** The messages of what tools returned. */
export function resultMessages({ toolResults = [] }: ChatTurn, texts: LongTexts): ChatCompletionMessageParam[] {
  return toolResults.map(({ callId, text }) => ({ role: 'tool', tool_call_id: callId, content: texts.of({ text }) }));
}

/** The message of an assistant that has called tools. */
export function callingMessage(
  turn: ChatTurn,
  toolCalls: readonly ToolCall[],
  texts: LongTexts,
): ChatCompletionMessageParam {
  return {
    role: 'assistant',
    ...(turn.name !== undefined && { name: turn.name }),
    ...turn.reasoning,
    content: turn.text === '' ? null : texts.of(turn),
    tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: texts.of({ text: wellFormedJson(text) }) },
    })),
  };
}

/** Reads the `tool_calls` of a delta, or of a whole message. */
export function readToolCalls(value: unknown, called: CalledTools): Promise<void> | undefined {
  if (!Array.isArray(value)) return undefined;
  const waits = value.map((each: unknown) => {
    const { index, id, function: fields } = fieldsOf(each);
    const { name, arguments: text } = fieldsOf(fields);
    const key = textOf(index) || undefined;
    return called.take({ key, id: textOf(id), name: textOf(name), arguments: argumentsText(text) });
  });
  return waits.some((wait) => wait !== undefined) ? Promise.all(waits).then(() => undefined) : undefined;
}
