import {
  type CallListener,
  type FinishReason,
  type ImageAttachment,
  ModelFault,
  type ModelProvider,
  type ProviderCall,
} from '../models/model';
import { readEvents } from './event-stream';
import { googleHttpFault } from './google-fault';
import { GoogleReply } from './google-reply';
import { toModelFault } from './provider-fault';
import type { ProviderOptions } from './provider-options';
import { alternatingTurns } from './turns';
import { upstreamFetch } from './upstream-fetch';

const DEFAULT_BASE_URL = 'https://generativelanguage.googleapis.com';
/** A model's name becomes part of the URL, and clients may name any model: nothing that could lead elsewhere. */
const MODEL_NAME = /^(?:models\/|tunedModels\/)?[A-Za-z0-9][\w.-]{0,199}$/;

/**
 * Gemini's `streamGenerateContent` (`baseUrl` without the version). One POST, without an SDK: the light one is no
 * longer maintained and takes no `fetch`, so that it would follow redirects with the key and read ahead of a slow
 * listener; the maintained one brings a hundred times the code of this file (ADR 0011).
 */
export function createGoogleProvider({ apiKey, baseUrl }: ProviderOptions): ModelProvider {
  const origin = (baseUrl ?? DEFAULT_BASE_URL).replace(/\/+$/, '');

  async function generate(call: ProviderCall, listener: CallListener): Promise<FinishReason> {
    const name = call.providerModel.includes('/') ? call.providerModel : `models/${call.providerModel}`;
    const response = await upstreamFetch(`${origin}/v1beta/${name}:streamGenerateContent?alt=sse`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': apiKey },
      body: JSON.stringify(requestOf(call)),
      signal: call.signal,
    });
    if (!response.ok) throw await googleHttpFault(response);
    const reply = new GoogleReply(listener);
    await readEvents(response.stream, { signal: call.signal, onEvent: (event) => reply.event(event) });
    return reply.finishReason();
  }

  return {
    run: async (call, listener) => {
      if (!MODEL_NAME.test(call.providerModel)) throw new ModelFault('not_found');
      try {
        return await generate(call, listener);
      } catch (error) {
        throw toModelFault(error, { signal: call.signal });
      }
    },
  };
}

interface TextPart {
  readonly text: string;
}

interface InlineDataPart {
  readonly inlineData: { readonly mimeType: string; readonly data: string };
}

/** The part of `GenerateContentRequest` that is used. */
interface GenerateContentBody {
  readonly contents: readonly {
    readonly role: 'user' | 'model';
    readonly parts: readonly (TextPart | InlineDataPart)[];
  }[];
  readonly systemInstruction?: { readonly role: 'system'; readonly parts: readonly TextPart[] };
  readonly generationConfig: {
    readonly temperature?: number;
    readonly topP?: number;
    readonly responseMimeType?: 'application/json';
    readonly responseJsonSchema?: object;
  };
}

function requestOf({ prompt, sampling, outputSchema }: ProviderCall): GenerateContentBody {
  return {
    contents: alternatingTurns(prompt.turns).map(({ role, text, images = [] }) => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: [...images.map(inlineData), { text }],
    })),
    generationConfig: {
      ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
      ...(sampling.topP !== undefined && { topP: sampling.topP }),
      ...(outputSchema && { responseMimeType: 'application/json', responseJsonSchema: outputSchema.schema }),
    },
    ...(prompt.system?.trim() && { systemInstruction: { role: 'system', parts: [{ text: prompt.system }] } }),
  };
}

function inlineData({ mediaType, base64 }: ImageAttachment): InlineDataPart {
  return { inlineData: { mimeType: mediaType, data: base64 } };
}
