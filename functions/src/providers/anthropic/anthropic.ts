/*
 * The messages protocol of Anthropic. Imports `transport/` and the model port; loads the SDK on the first call, and must
 * not let its types out.
 */
import type {
  DocumentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import { loadOnce } from '../../lib/lazy';
import { type ImageAttachment, isAddress, PDF_TYPE } from '../../models/images';
import type { ChatTurn, ModelPrompt, ModelProvider, OutputSchema, ProviderCall, Sampling } from '../../models/model';
import { isMarked } from '../../models/prompt-caches';
import { argumentsObject, isForced, type ToolOffer } from '../../models/tools';
import { SEARCHES_MAX } from '../../models/web-search';
import { createAdapter, type ProviderOptions, sdkFetch } from '../transport/adapter';
import type { LongTexts } from '../transport/long-texts';
import { alternatingTurns, partsAtMarks } from '../transport/turns';
import { AnthropicReply } from './anthropic-reply';

const DEFAULT_BASE_URL = 'https://api.anthropic.com';
/** The protocol demands a limit; this one is for models whose own is not known. */
const DEFAULT_MAX_TOKENS = 8_192;
/** Anthropic's scale is 0 to 1, ours 0 to 2. */
const TEMPERATURE_MAX = 1;

/** Anthropic’s Messages API (`baseUrl` without `/v1`), which takes one sampling setting and alternating turns. */
export function createAnthropicProvider({ apiKey, baseUrl }: ProviderOptions): ModelProvider {
  const baseURL = baseUrl ?? DEFAULT_BASE_URL;
  const client = loadOnce(async () => {
    const { Anthropic } = await import('@anthropic-ai/sdk');
    return new Anthropic({ ...SDK_OPTIONS, apiKey, baseURL });
  });
  return createAdapter({
    address: `${baseURL}/v1/messages`,
    request: async (call, { longTexts, fetchOptions }) => {
      const { messages } = await client();
      return messages.create(requestOf(call, longTexts), { fetchOptions }).asResponse();
    },
    replyTo: (_, listener) => new AnthropicReply(listener),
    holds: (outputSchema) => enforced(outputSchema) !== undefined,
  });
}

/** Without the SDK's spans, which would read the response. The gateway's timers guard a call; the SDK's end with its headers. */
const SDK_OPTIONS = {
  fetch: sdkFetch,
  maxRetries: 0,
  logLevel: 'off',
  webhookKey: null,
  openTelemetry: false,
} as const;

/** The protocol refuses a schema that is open anywhere, and knows no form without one: the prompt has to do there. */
function enforced({ schema, strict = true }: OutputSchema): OutputSchema['schema'] {
  return strict ? schema : undefined;
}

function requestOf(call: ProviderCall, texts: LongTexts): MessageCreateParamsStreaming {
  const { providerModel, prompt, sampling, maxOutputTokens = DEFAULT_MAX_TOKENS, outputTokensMax = Infinity } = call;
  const { reasoningEffort } = call;
  const schema = call.outputSchema && enforced(call.outputSchema);
  const outputConfig = {
    // The protocol has no word for the least two.
    ...(reasoningEffort &&
      reasoningEffort !== 'none' && { effort: reasoningEffort === 'minimal' ? 'low' : reasoningEffort }),
    ...(schema && { format: { type: 'json_schema' as const, schema } }),
  };
  return {
    model: providerModel,
    max_tokens: Math.min(maxOutputTokens, outputTokensMax),
    messages: messagesOf(prompt, texts),
    stream: true,
    ...beginningOf(prompt, texts),
    ...samplingOf(sampling),
    ...(reasoningEffort && thinkingOf(call)),
    ...(Object.keys(outputConfig).length > 0 && { output_config: outputConfig }),
  };
}

/** Has an effort, and no thinking of its own accord. */
const EFFORT_ONLY = 'claude-opus-4-5';

/** An effort is for thinking, which most models begin only when told to, and refuse beside sampling settings or a demanded call. */
function thinkingOf(call: ProviderCall): Pick<MessageCreateParamsStreaming, 'thinking'> {
  const { providerModel, sampling, reasoningEffort, prompt } = call;
  if (reasoningEffort === 'none') return { thinking: { type: 'disabled' } };
  const isSampled = Object.keys(sampling).length > 0;
  const isRefused = isSampled || isForced(prompt.tools?.choice) || providerModel.startsWith(EFFORT_ONLY);
  return isRefused ? {} : { thinking: { type: 'adaptive' } };
}

/** Tools and system prompt, which stand before all turns and are kept for other conversations, too. */
function beginningOf(
  prompt: ModelPrompt,
  texts: LongTexts,
): ToolRequest & Pick<MessageCreateParamsStreaming, 'system'> {
  const { tools, ...choice } = toolFields(prompt);
  const kept = isMarked(prompt) && KEPT;
  const system = prompt.system?.trim() ? texts.of({ text: prompt.system }) : undefined;
  return {
    ...(tools && {
      tools: tools.map((tool, at) => (at === tools.length - 1 && !system ? { ...tool, ...kept } : tool)),
    }),
    ...choice,
    ...(system && { system: kept ? [{ type: 'text', text: system, ...kept }] : system }),
  };
}

/** A prompt of which something is kept in the cache is in blocks throughout, as they alone have marks, which move. */
function messagesOf(prompt: ModelPrompt, texts: LongTexts): MessageParam[] {
  const inBlocks = isMarked(prompt);
  return alternatingTurns(prompt.turns).map((turn) => {
    const content = partsAtMarks(turn).flatMap((part) => blocksOf(part, texts));
    const isText = content.length === 0 || (!inBlocks && content.every(({ type }) => type === 'text'));
    return { role: turn.role, content: isText ? texts.of(turn) : content };
  });
}

/** Images stand before the text, as the provider advises. The protocol refuses a block without text, and marks on none. */
function blocksOf(turn: ChatTurn, texts: LongTexts): Block[] {
  const { images = [], text, cacheMarks } = turn;
  const { results, calls } = toolBlocks(turn, texts);
  const pictures = images.map((image) => imageBlock(image, texts));
  const words = text.trim() === '' ? [] : [{ type: 'text' as const, text: texts.of(turn) }];
  const blocks: Block[] = [...results, ...pictures, ...words];
  const last = cacheMarks && blocks.findLast((block) => block.type !== 'tool_result' || block.content !== '');
  return [...blocks.map((block) => (block === last ? { ...block, ...KEPT } : block)), ...calls];
}

/** Mark of a block: it is kept in the cache with all that stands before it. */
const KEPT = { cache_control: { type: 'ephemeral' } } as const;

function imageBlock(image: ImageAttachment, texts: LongTexts): ImageBlockParam | DocumentBlockParam {
  if (isAddress(image)) return { type: 'image', source: { type: 'url', url: image.url } };
  const { mediaType, base64, name } = image;
  const data = texts.of({ text: base64 });
  if (mediaType !== PDF_TYPE) return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
  const source = { type: 'base64', media_type: mediaType, data } as const;
  return { type: 'document', source, ...(name !== undefined && { title: name }) };
}

type Block = TextBlockParam | ImageBlockParam | DocumentBlockParam | ToolResultBlockParam | ToolUseBlockParam;

function samplingOf({ temperature, topP }: Sampling): { temperature?: number; top_p?: number } {
  if (temperature !== undefined) return { temperature: Math.min(temperature, TEMPERATURE_MAX) };
  return topP === undefined ? {} : { top_p: topP };
}

/** The version that needs no other tool: later ones run code to look through what they found. */
const WEB_SEARCH = { type: 'web_search_20250305', name: 'web_search', max_uses: SEARCHES_MAX } as const;

type ToolRequest = Pick<MessageCreateParamsStreaming, 'tools' | 'tool_choice'>;

/** The fields of a request that offer tools; those of earlier calls, not to be called, as the protocol demands them. */
function toolFields({ tools, turns, webSearch }: ModelPrompt): ToolRequest {
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

/** Results and calls of tools as blocks of a message: results are to stand first in it, calls last. @internal */
export function toolBlocks({ toolCalls = [], toolResults = [] }: ChatTurn, texts: LongTexts) {
  const results = toolResults.map(
    ({ callId, text, images }): ToolResultBlockParam => ({
      type: 'tool_result',
      tool_use_id: idOf(callId),
      content: images ? resultBlocks(text, images, texts) : texts.of({ text }),
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

function resultBlocks(text: string, images: readonly ImageAttachment[], texts: LongTexts) {
  const words = text.trim() === '' ? [] : [{ type: 'text' as const, text: texts.of({ text }) }];
  return [...words, ...images.map((image) => imageBlock(image, texts))];
}

/** The protocol knows fewer characters than ids of other providers have. */
function idOf(id: string): string {
  return id.replace(/[^\w-]/g, '_');
}
