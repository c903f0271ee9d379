import type { GenerateContentRequest, GenerationConfig, InlineDataPart } from '@google/generative-ai';
import {
  type CallListener,
  type FinishReason,
  type ImageAttachment,
  ModelFault,
  type ModelProvider,
  type ProviderCall,
} from '../models/model';
import { toGoogleFault } from './google-fault';
import { GoogleReply } from './google-reply';
import { loadOnce } from './load-once';
import type { ProviderOptions } from './provider-options';
import { alternatingTurns } from './turns';

/** A model's name becomes part of the URL, and clients may name any model: nothing that could lead elsewhere. */
const MODEL_NAME = /^(?:models\/|tunedModels\/)?[A-Za-z0-9][\w.-]{0,199}$/;

/**
 * Gemini's `generateContent` (`baseUrl` without the version). The SDK is loaded on the first call. It does all the
 * work itself, on the global `fetch`, which means: it reads as fast as the provider sends, so a slow listener makes it
 * buffer instead of slowing the provider down, and a redirect would be followed.
 */
export function createGoogleProvider({ apiKey, baseUrl }: ProviderOptions): ModelProvider {
  const load = loadOnce(async () => {
    const { GoogleGenerativeAI } = await import('@google/generative-ai');
    return new GoogleGenerativeAI(apiKey);
  });
  const requestOptions = baseUrl === undefined ? {} : { baseUrl: baseUrl.replace(/\/+$/, '') };

  async function generate(call: ProviderCall, signal: AbortSignal, listener: CallListener): Promise<FinishReason> {
    const client = await load();
    const model = client.getGenerativeModel({ model: call.providerModel }, requestOptions);
    // The SDK listens for a future abort only, never looks at the present state.
    signal.throwIfAborted();
    const { stream, response } = await model.generateContentStream(requestOf(call), { signal });
    // The SDK's own sum of the stream; it fails whenever the stream does, and nobody else waits for it.
    response.catch(() => undefined);
    const reply = new GoogleReply(listener);
    for await (const chunk of stream) {
      const handled = reply.chunk(chunk);
      if (handled) await handled;
    }
    return reply.finishReason();
  }

  return {
    run: async (call, listener) => {
      if (!MODEL_NAME.test(call.providerModel)) throw new ModelFault('not_found');
      // Aborted in the end, however the call ends: the SDK itself leaves the connection of a stream it gave up open.
      const over = new AbortController();
      try {
        return await generate(call, AbortSignal.any([call.signal, over.signal]), listener);
      } catch (error) {
        throw toGoogleFault(error, call.signal);
      } finally {
        over.abort();
      }
    },
  };
}

/** The API takes plain JSON Schema in a field that the SDK's types do not know and that it passes on as it is. */
interface JsonGenerationConfig extends GenerationConfig {
  responseJsonSchema?: object;
}

function requestOf({ prompt, sampling, outputSchema }: ProviderCall): GenerateContentRequest {
  const generationConfig: JsonGenerationConfig = {
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(sampling.topP !== undefined && { topP: sampling.topP }),
    ...(outputSchema && { responseMimeType: 'application/json', responseJsonSchema: outputSchema.schema }),
  };
  return {
    contents: alternatingTurns(prompt.turns).map(({ role, text, images = [] }) => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: [...images.map(inlineData), { text }],
    })),
    generationConfig,
    ...(prompt.system?.trim() && { systemInstruction: { role: 'system', parts: [{ text: prompt.system }] } }),
  };
}

function inlineData({ mediaType, base64 }: ImageAttachment): InlineDataPart {
  return { inlineData: { mimeType: mediaType, data: base64 } };
}
