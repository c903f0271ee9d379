import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { CallListener, ChatTurn, FinishReason, ModelProvider, ProviderCall } from '../models/model';
import { readEvents } from './event-stream';
import { loadOnce } from './load-once';
import { OpenAiReply } from './openai-reply';
import { type SdkErrorClasses, toModelFault } from './provider-fault';
import { type ProviderOptions, SDK_TIMEOUT_MS } from './provider-options';
import { upstreamFetch } from './upstream-fetch';
import { upstreamStream } from './upstream-response';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
/** The SDK refuses to start without a key, but self-hosted servers need none. */
const NO_KEY = 'none';

/**
 * Chat Completions: OpenAI and every server that speaks its protocol (`baseUrl` ends in `/v1` or the like).
 * The SDK makes the request and reads failures; the stream is read here, by 'data' events (see `upstreamFetch`).
 * No token limit is ever sent. The SDK is loaded on the first call.
 */
export function createOpenAiProvider({ apiKey, baseUrl }: ProviderOptions): ModelProvider {
  const load = loadOnce(async () => {
    const { OpenAI } = await import('openai');
    const client = new OpenAI({
      apiKey: apiKey || NO_KEY,
      adminAPIKey: null,
      organization: null,
      project: null,
      baseURL: baseUrl ?? DEFAULT_BASE_URL,
      fetch: upstreamFetch,
      maxRetries: 0,
      timeout: SDK_TIMEOUT_MS,
      logLevel: 'off',
    });
    return { sdk: OpenAI, client };
  });
  return {
    run: async (call, listener) => {
      let sdk: SdkErrorClasses | undefined;
      try {
        const loaded = await load();
        sdk = loaded.sdk;
        const { completions } = loaded.client.chat;
        const response = await completions.create(requestOf(call), { signal: call.signal }).asResponse();
        return await readReply(response, call.signal, listener);
      } catch (error) {
        throw toModelFault(error, { signal: call.signal, sdk });
      }
    },
  };
}

function requestOf(call: ProviderCall): ChatCompletionCreateParamsStreaming {
  const { providerModel, prompt, sampling, outputSchema } = call;
  const messages: ChatCompletionMessageParam[] = prompt.turns.map(messageOf);
  if (prompt.system !== undefined) messages.unshift({ role: 'system', content: prompt.system });
  return {
    model: providerModel,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(sampling.topP !== undefined && { top_p: sampling.topP }),
    ...(outputSchema && { response_format: { type: 'json_schema', json_schema: { ...outputSchema, strict: true } } }),
  };
}

/** A turn without images keeps the plain form, which every compatible server knows. */
function messageOf({ role, text, images }: ChatTurn): ChatCompletionMessageParam {
  if (role === 'assistant' || images === undefined) return { role, content: text };
  const pictures = images.map(({ mediaType, base64 }) => ({
    type: 'image_url' as const,
    image_url: { url: `data:${mediaType};base64,${base64}` },
  }));
  return { role, content: [{ type: 'text', text }, ...pictures] };
}

/** Reads a stream, or the one JSON body of a server that does not know `stream`. */
async function readReply(response: Response, signal: AbortSignal, listener: CallListener): Promise<FinishReason> {
  const reply = new OpenAiReply(listener);
  if (response.headers.get('content-type')?.startsWith('application/json')) {
    await reply.completion(await response.text());
  } else {
    await readEvents(upstreamStream(response), { signal, onEvent: (event) => reply.event(event) });
  }
  return reply.finishReason();
}
