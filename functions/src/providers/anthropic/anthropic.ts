/*
 * The messages protocol of Anthropic. Imports `transport/` and the model port; loads the SDK on the first call, and must
 * not let its types out.
 */
import type { MessageCreateParamsStreaming, MessageParam } from '@anthropic-ai/sdk/resources/messages';
import type { ChatTurn, ModelProvider, ProviderCall, Sampling } from '../../models/model';
import { readEvents } from '../transport/event-stream';
import { LongTexts } from '../transport/long-texts';
import { type ProviderOptions, SDK_OPTIONS, sdkProvider } from '../transport/sdk-provider';
import { alternatingTurns } from '../transport/turns';
import { fetchOptions, upstreamStream } from '../transport/upstream-fetch';
import { AnthropicReply } from './anthropic-reply';

const DEFAULT_BASE_URL = 'https://api.anthropic.com';
/** The protocol demands a limit; this one is for models whose own is not known. */
const DEFAULT_MAX_TOKENS = 8_192;
/** Anthropic's scale is 0 to 1, ours 0 to 2. */
const TEMPERATURE_MAX = 1;

/**
 * Anthropic's Messages API (`baseUrl` without `/v1`). The SDK makes the request and reads failures; the stream is read
 * here, by 'data' events (see `upstreamFetch`). The SDK is loaded on the first call.
 *
 * Where the protocol is narrower than ours: temperatures above 1 are sent as 1; with both temperature and top_p set,
 * only the temperature is sent (newer models refuse both together); turns are put into alternating order.
 */
export function createAnthropicProvider({ apiKey, baseUrl }: ProviderOptions): ModelProvider {
  const load = async () => {
    const { Anthropic: sdk } = await import('@anthropic-ai/sdk');
    const client = new sdk({
      ...SDK_OPTIONS,
      apiKey,
      webhookKey: null,
      baseURL: baseUrl ?? DEFAULT_BASE_URL,
      // Its spans replace the response by a copy without our stream.
      openTelemetry: false,
    });
    return { sdk, client };
  };
  return sdkProvider(load, async ({ messages }, call, listener) => {
    const { signal } = call;
    const texts = new LongTexts();
    const options = { fetchOptions: fetchOptions(signal, texts) };
    const response = await messages.create(requestOf(call, texts), options).asResponse();
    const reply = new AnthropicReply(listener);
    await readEvents(upstreamStream(response), {
      signal,
      onEvent: (event) => reply.event(event),
      onPending: (characters) => listener.pending(characters),
    });
    return reply.finishReason();
  });
}

function requestOf(call: ProviderCall, texts: LongTexts): MessageCreateParamsStreaming {
  const { providerModel, prompt, sampling, maxOutputTokens = DEFAULT_MAX_TOKENS, outputTokensMax = Infinity } = call;
  const { outputSchema } = call;
  return {
    model: providerModel,
    max_tokens: Math.min(maxOutputTokens, outputTokensMax),
    messages: alternatingTurns(prompt.turns).map((turn) => messageOf(turn, texts)),
    stream: true,
    ...(prompt.system?.trim() && { system: texts.of({ text: prompt.system }) }),
    ...samplingOf(sampling),
    ...(outputSchema && { output_config: { format: { type: 'json_schema', schema: outputSchema.schema } } }),
  };
}

/** Images stand before the text, as the provider advises. */
function messageOf({ images, ...turn }: ChatTurn, texts: LongTexts): MessageParam {
  const { role } = turn;
  const text = texts.of(turn);
  if (images === undefined) return { role, content: text };
  const pictures = images.map(({ mediaType, base64 }) => ({
    type: 'image' as const,
    source: { type: 'base64' as const, media_type: mediaType, data: texts.of({ text: base64 }) },
  }));
  return { role, content: [...pictures, { type: 'text', text }] };
}

function samplingOf({ temperature, topP }: Sampling): { temperature?: number; top_p?: number } {
  if (temperature !== undefined) return { temperature: Math.min(temperature, TEMPERATURE_MAX) };
  return topP === undefined ? {} : { top_p: topP };
}
