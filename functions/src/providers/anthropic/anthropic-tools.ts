import type {
  MessageCreateParamsStreaming,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { ChatTurn, ModelPrompt } from '../../models/model';
import type { ToolOffer } from '../../models/tools';
import { SEARCHES_MAX } from '../../models/web-search';
import { argumentsObject } from '../transport/called-tools';
import type { LongTexts } from '../transport/long-texts';

/** The version that needs no other tool: later ones run code to look through what they found. */
const WEB_SEARCH = { type: 'web_search_20250305', name: 'web_search', max_uses: SEARCHES_MAX } as const;

type ToolRequest = Pick<MessageCreateParamsStreaming, 'tools' | 'tool_choice'>;

/**
 * The fields of a request that offer tools. The protocol refuses a conversation with calls where none is offered: there
 * the called ones are, and are not to be called again.
 */
export function toolFields({ tools, turns, webSearch }: ModelPrompt): ToolRequest {
  if (tools) return offered(tools);
  if (webSearch) return { tools: [WEB_SEARCH] };
  const names = new Set(turns.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name)));
  if (names.size === 0) return {};
  return {
    tools: [...names].map((name) => ({ name, input_schema: { type: 'object' } })),
    tool_choice: { type: 'none' },
  };
}

function offered({ tools, choice, parallel }: ToolOffer): ToolRequest {
  const one = parallel === false && { disable_parallel_tool_use: true };
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      ...(description !== undefined && { description }),
      input_schema: { type: 'object', ...parameters },
    })),
    ...(choice === 'none' && { tool_choice: { type: 'none' } }),
    ...(choice === 'required' && { tool_choice: { type: 'any', ...one } }),
    ...(typeof choice === 'object' && { tool_choice: { type: 'tool', name: choice.name, ...one } }),
    ...(one && (choice === undefined || choice === 'auto') && { tool_choice: { type: 'auto', ...one } }),
  };
}

/** Results and calls of tools as blocks of a message: results are to stand first in it, calls last. */
export function toolBlocks({ toolCalls = [], toolResults = [] }: ChatTurn, texts: LongTexts) {
  const results = toolResults.map(
    ({ callId, text }): ToolResultBlockParam => ({
      type: 'tool_result',
      tool_use_id: idOf(callId),
      content: texts.of({ text }),
    }),
  );
  const calls = toolCalls.map(
    ({ id, name, arguments: text }): ToolUseBlockParam => ({
      type: 'tool_use',
      id: idOf(id),
      name,
      input: argumentsObject(text),
    }),
  );
  return { results, calls };
}

/** The protocol knows fewer characters than ids of other providers have. */
function idOf(id: string): string {
  return id.replace(/[^\w-]/g, '_');
}
