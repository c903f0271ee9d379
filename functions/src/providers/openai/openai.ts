/*
 * The chat completions protocol: OpenAI, the router, and every compatible server. Imports `transport/` and the model port;
 * loads the SDK on the first call, and must not let its types out.
 */
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { loadOnce } from '../../lib/lazy';
import {
  type ChatTurn,
  type ModelProvider,
  nameInText,
  type OutputSchema,
  type ProviderCall,
  type RequestPart,
} from '../../models/model';
import type { ToolCall, ToolOffer } from '../../models/tools';
import { createAdapter, type ProviderOptions, sdkFetch } from '../transport/adapter';
import type { LongTexts } from '../transport/long-texts';
import { wellFormedJson } from '../transport/reply-fields';
import { alternatingTurns, partsAtMarks, withToolImages } from '../transport/turns';
import { chatPart } from './image-parts';
import { OpenAiReply } from './openai-reply';
import { OpenAiResponsesReply, responsesRequest } from './openai-responses';
import { promptCacheFields } from './prompt-cache-fields';
import { inMarkedParts, needsMarks } from './router-cache';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

type ResponseFormat = NonNullable<ChatCompletionCreateParamsStreaming['response_format']>;

/** Names of the limit of a reply's tokens, the newer one first. */
const LIMIT_NAMES = ['max_completion_tokens', 'max_tokens'] as const;

/** Protocol by which a server is asked to search the web: OpenAI's other one, or a tool of the router's. */
export type SearchProtocol = 'responses' | 'router';

/** The router's own tool, which the SDK's types lack; the plugin that always searches is on its way out. */
const ROUTER_SEARCH: object = { tools: [{ type: 'openrouter:web_search' }] };

/** Chat Completions. `search`: the protocol of a search, OpenAI’s own unless there is a base URL. */
export function createOpenAiProvider(
  { apiKey, baseUrl }: ProviderOptions,
  search: SearchProtocol | undefined = baseUrl === undefined ? 'responses' : undefined,
): ModelProvider {
  const baseURL = baseUrl ?? DEFAULT_BASE_URL;
  const client = loadOnce(async () => {
    const { OpenAI } = await import('openai');
    // Self-hosted servers need no key, and some refuse a header without one.
    return new OpenAI({ ...SDK_OPTIONS, apiKey: apiKey || 'none', baseURL });
  });
  // OpenAI's reasoning models refuse the old name, and many compatible servers know no other.
  const [limitName, otherName] = baseUrl === undefined ? LIMIT_NAMES : LIMIT_NAMES.toReversed();
  /** OpenAI itself neither gives what a model thought nor takes it back. */
  const never: readonly RequestPart[] = baseUrl === undefined ? ['reasoning'] : [];

  /** OpenAI finds a prompt in its caches by such a key; other servers need not know the field. */
  const cacheFields = (call: ProviderCall) => promptCacheFields(call, search === 'responses' ? apiKey : undefined);

  const isResponse = ({ prompt }: ProviderCall): boolean => prompt.webSearch === true && search === 'responses';

  function completionRequest(
    { without = [], ...asked }: ProviderCall,
    texts: LongTexts,
  ): ChatCompletionCreateParamsStreaming {
    const call = { ...asked, without: [...never, ...without] };
    return {
      ...requestOf(call, texts, {
        limitName: without.includes('limitName') ? otherName : limitName,
        isMarked: search === 'router' && needsMarks(call),
      }),
      ...cacheFields(call),
      ...(call.prompt.webSearch && search === 'router' && ROUTER_SEARCH),
    };
  }

  return createAdapter({
    address: `${baseURL}/chat/completions`,
    request: async (call, { longTexts, fetchOptions }) => {
      const { chat, responses } = await client();
      return isResponse(call)
        ? responses
            .create({ ...responsesRequest(call, longTexts), ...cacheFields(call) }, { fetchOptions })
            .asResponse()
        : chat.completions.create(completionRequest(call, longTexts), { fetchOptions }).asResponse();
    },
    replyTo: (call, listener) => (isResponse(call) ? new OpenAiResponsesReply(listener) : new OpenAiReply(listener)),
    // Many compatible servers do not know the field, and say nothing.
    holds: ({ schema, strict = true }) => baseUrl === undefined && (schema === undefined || strict),
  });
}

const SDK_OPTIONS = {
  fetch: sdkFetch,
  maxRetries: 0,
  logLevel: 'off',
  adminAPIKey: null,
  organization: null,
  project: null,
  webhookSecret: null,
} as const;

function requestOf(
  call: ProviderCall,
  texts: LongTexts,
  { limitName, isMarked }: { readonly limitName: string; readonly isMarked: boolean },
): ChatCompletionCreateParamsStreaming {
  const { providerModel, prompt, sampling, outputTokensMax, outputSchema, without = [] } = call;
  const reasoningEffort = without.includes('thoughtsBesideTools') ? 'none' : call.reasoningEffort;
  const turns = without.includes('turnsInARow') ? alternatingTurns(prompt.turns) : prompt.turns;
  const messages = turns.flatMap((turn) => {
    const said = withoutParts(turn, without);
    return isMarked
      ? partsAtMarks(said).flatMap((part) => inMarkedParts(messagesOf(part, texts), part))
      : messagesOf(said, texts);
  });
  if (prompt.system !== undefined) {
    const system = [{ role: 'system' as const, content: texts.of({ text: prompt.system }) }];
    messages.unshift(...(isMarked ? inMarkedParts(system, { cacheMarks: [0] }) : system));
  }
  return {
    model: providerModel,
    messages,
    stream: true,
    ...(!without.includes('streamOptions') && { stream_options: { include_usage: true } }),
    ...(outputTokensMax !== undefined && { [limitName]: outputTokensMax }),
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(sampling.topP !== undefined && { top_p: sampling.topP }),
    ...(reasoningEffort && { reasoning_effort: reasoningEffort }),
    ...(outputSchema && { response_format: responseFormat(outputSchema) }),
    ...(prompt.tools && toolFields(prompt.tools, without)),
  };
}

function responseFormat({ name, schema, strict = true }: OutputSchema): ResponseFormat {
  return schema ? { type: 'json_schema', json_schema: { name, schema, strict } } : { type: 'json_object' };
}

function withoutParts(turn: ChatTurn, without: readonly RequestPart[]): ChatTurn {
  const { reasoning, ...rest } = without.includes('names') ? nameInText(turn) : turn;
  return reasoning && !without.includes('reasoning') ? { ...rest, reasoning } : rest;
}

function messagesOf(turn: ChatTurn, texts: LongTexts): ChatCompletionMessageParam[] {
  const { toolCalls, toolResults } = turn;
  if (toolCalls) return [callingMessage(turn, toolCalls, texts)];
  const shown = withToolImages(turn);
  if (toolResults && shown.text.trim() === '' && !shown.images) return resultMessages(turn, texts);
  return [...resultMessages(turn, texts), messageOf(shown, texts)];
}

/** A turn without images keeps the plain form, which every compatible server knows. */
function messageOf({ role, images, name, ...turn }: ChatTurn, texts: LongTexts): ChatCompletionMessageParam {
  const text = texts.of(turn);
  const speaker = name !== undefined && { name };
  if (role === 'assistant') return { role, ...speaker, content: text, ...turn.reasoning };
  if (images === undefined) return { role, ...speaker, content: text };
  const pictures = images.map((image) => chatPart(image, texts));
  return { role, ...speaker, content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...pictures] };
}

type ToolRequest = Pick<ChatCompletionCreateParamsStreaming, 'tools' | 'tool_choice' | 'parallel_tool_calls'>;

/** The fields of a request that offer tools. */
function toolFields({ tools, choice, parallel }: ToolOffer, without: readonly RequestPart[]): ToolRequest {
  return {
    tools: tools.map((tool) => ({ type: 'function', function: { ...tool } })),
    ...(choice && { tool_choice: typeof choice === 'string' ? choice : { type: 'function', function: choice } }),
    ...(parallel !== undefined && !without.includes('parallelToolCalls') && { parallel_tool_calls: parallel }),
  };
}

/** The messages of what tools returned. */
function resultMessages({ toolResults = [] }: ChatTurn, texts: LongTexts): ChatCompletionMessageParam[] {
  return toolResults.map(({ callId, text }) => ({ role: 'tool', tool_call_id: callId, content: texts.of({ text }) }));
}

/** The message of an assistant that has called tools. */
function callingMessage(turn: ChatTurn, toolCalls: readonly ToolCall[], texts: LongTexts): ChatCompletionMessageParam {
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
