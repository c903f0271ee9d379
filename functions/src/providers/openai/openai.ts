/*
 * The chat completions protocol: OpenAI, the router, and every compatible server. Imports `transport/` and the model port;
 * loads the SDK on the first call, and must not let its types out.
 */
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import {
  type CallListener,
  type ChatTurn,
  type ModelProvider,
  type OutputSchema,
  type ProviderCall,
  textOfPieces,
} from '../../models/model';
import { readEvents } from '../transport/event-stream';
import { LongTexts } from '../transport/long-texts';
import { type ProviderOptions, SDK_OPTIONS, sdkProvider } from '../transport/sdk-provider';
import { withoutThoughts } from '../transport/spoken-text';
import { fetchOptions, upstreamStream } from '../transport/upstream-fetch';
import { OpenAiReply } from './openai-reply';
import { responsesRequest } from './openai-responses';
import { OpenAiResponsesReply } from './openai-responses-reply';
import { callingMessage, resultMessages, toolFields } from './openai-tools';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

type ResponseFormat = NonNullable<ChatCompletionCreateParamsStreaming['response_format']>;

/** What the limit of a reply's tokens is called. */
type LimitName = 'max_completion_tokens' | 'max_tokens';

/** How a server is asked to search the web: by OpenAI's other protocol, or by a tool of the router's. */
export type SearchProtocol = 'responses' | 'router';

/** The router lets the model search; the plugin that always does is on its way out. */
const ROUTER_SEARCH = { tools: [{ type: 'openrouter:web_search' }] };

/**
 * Chat Completions: OpenAI and every server that speaks its protocol (`baseUrl` ends in `/v1` or the like).
 * The SDK makes the request and reads failures; the stream is read here, by 'data' events (see `upstreamFetch`).
 * A token limit is sent only where a caller sets one. The SDK is loaded on the first call. `search` says how the server
 * is asked to search the web; default: as OpenAI is, and a server of one's own not at all.
 */
export function createOpenAiProvider(
  { apiKey, baseUrl }: ProviderOptions,
  search: SearchProtocol | undefined = baseUrl === undefined ? 'responses' : undefined,
): ModelProvider {
  const load = async () => {
    const { OpenAI: sdk } = await import('openai');
    const client = new sdk({
      ...SDK_OPTIONS,
      // The SDK refuses to start without a key, but self-hosted servers need none.
      apiKey: apiKey || 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      baseURL: baseUrl ?? DEFAULT_BASE_URL,
    });
    return { sdk, client };
  };
  // OpenAI's reasoning models refuse the old name, and many compatible servers know no other.
  const limitName = baseUrl === undefined ? 'max_completion_tokens' : 'max_tokens';
  const provider = sdkProvider(load, async ({ chat, responses }, call, listener) => {
    const { signal, prompt } = call;
    const texts = new LongTexts(call.inTurn);
    const options = { fetchOptions: fetchOptions(signal, texts) };
    if (prompt.webSearch && search === 'responses') {
      const streamed = await responses.create(responsesRequest(call, texts), options).asResponse();
      const found = new OpenAiResponsesReply(listener);
      await readEvents(upstreamStream(streamed), {
        signal,
        onEvent: (event) => found.event(event),
        onPending: (characters) => listener.pending(characters),
      });
      return found.end();
    }
    const request = {
      ...requestOf(call, texts, limitName),
      ...(prompt.webSearch && search === 'router' && ROUTER_SEARCH),
    } as ChatCompletionCreateParamsStreaming;
    const response = await chat.completions.create(request, options).asResponse();
    const reply = new OpenAiReply(listener);
    // A server that does not know `stream` sends one JSON body.
    if (response.headers.get('content-type')?.startsWith('application/json')) {
      await reply.completion(await textOf(response, listener));
    } else {
      await readEvents(upstreamStream(response), {
        signal,
        onEvent: (event) => reply.event(event),
        onPending: (characters) => listener.pending(characters),
      });
    }
    return reply.end();
  });
  // Many compatible servers do not know the field, and say nothing.
  const enforces = baseUrl === undefined;
  return withoutThoughts({
    ...provider,
    holds: ({ schema, strict = true }) => enforces && (schema === undefined || strict),
  });
}

/** A whole body, which is told of as it comes. */
async function textOf({ body }: Response, listener: CallListener): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    listener.pending(text.length);
  }
  return text + decoder.decode();
}

function requestOf(call: ProviderCall, texts: LongTexts, limitName: LimitName): ChatCompletionCreateParamsStreaming {
  const { providerModel, prompt, sampling, reasoningEffort, outputTokensMax, outputSchema } = call;
  const messages = prompt.turns.flatMap((turn) => messagesOf(turn, texts));
  if (prompt.system !== undefined) messages.unshift({ role: 'system', content: texts.of({ text: prompt.system }) });
  return {
    model: providerModel,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(outputTokensMax !== undefined && { [limitName]: outputTokensMax }),
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(sampling.topP !== undefined && { top_p: sampling.topP }),
    ...(reasoningEffort && { reasoning_effort: reasoningEffort }),
    ...(outputSchema && { response_format: responseFormat(outputSchema) }),
    ...(prompt.tools && toolFields(prompt.tools)),
  };
}

function responseFormat({ name, schema, strict = true }: OutputSchema): ResponseFormat {
  return schema ? { type: 'json_schema', json_schema: { name, schema, strict } } : { type: 'json_object' };
}

function messagesOf(turn: ChatTurn, texts: LongTexts): ChatCompletionMessageParam[] {
  const { text, toolCalls, toolResults } = turn;
  if (toolCalls) return [callingMessage(turn, toolCalls, texts)];
  if (toolResults && text.trim() === '') return resultMessages(turn, texts);
  return [...resultMessages(turn, texts), messageOf(turn, texts)];
}

/** A turn without images keeps the plain form, which every compatible server knows. */
function messageOf({ role, images, ...turn }: ChatTurn, texts: LongTexts): ChatCompletionMessageParam {
  const text = texts.of(turn);
  if (role === 'assistant' || images === undefined) return { role, content: text };
  const pictures = images.map(({ mediaType, base64 }) => ({
    type: 'image_url' as const,
    image_url: { url: texts.of(textOfPieces([`data:${mediaType};base64,`, base64])) },
  }));
  return { role, content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...pictures] };
}
