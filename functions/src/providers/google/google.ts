/*
 * The Gemini protocol, without an SDK (`docs/adr/0011`). Imports `transport/` and the model port; must not let the
 * protocol's types out.
 */
import {
  type ChatTurn,
  ModelFault,
  type ModelProvider,
  type ProviderCall,
  type ReasoningEffort,
} from '../../models/model';
import { readEvents } from '../transport/event-stream';
import { LongTexts } from '../transport/long-texts';
import { kindOfStatus, namesEffort, toModelFault } from '../transport/provider-fault';
import { fieldsOf, textOf } from '../transport/reply-fields';
import { retryAfterSeconds } from '../transport/retry-after';
import type { ProviderOptions } from '../transport/sdk-provider';
import { withoutThoughts } from '../transport/spoken-text';
import { alternatingTurns } from '../transport/turns';
import { upstreamFetch, upstreamStream } from '../transport/upstream-fetch';
import { GoogleReply } from './google-reply';
import { toolFields, toolParts } from './google-tools';

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

  return withoutThoughts({
    // Keywords that it does not know are passed over in silence.
    holds: ({ schema, strict = true }) => schema === undefined || strict,
    run: async (call, listener) => {
      const { providerModel, signal } = call;
      if (!MODEL_NAME.test(providerModel)) throw new ModelFault('not_found');
      const name = providerModel.includes('/') ? providerModel : `models/${providerModel}`;
      try {
        const longTexts = new LongTexts(call.inTurn);
        const response = await upstreamFetch(`${origin}/v1beta/${name}:streamGenerateContent?alt=sse`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-goog-api-key': apiKey },
          body: JSON.stringify(requestOf(call, longTexts)),
          signal,
          longTexts,
        });
        if (!response.ok) throw await httpFault(response);
        const reply = new GoogleReply(listener);
        await readEvents(upstreamStream(response), {
          signal,
          onEvent: (event) => reply.event(event),
          onPending: (characters) => listener.pending(characters),
        });
        return await reply.end();
      } catch (error) {
        throw toModelFault(error, { signal });
      }
    },
  });
}

/** The part of `GenerateContentRequest` that is used. */
function requestOf(call: ProviderCall, texts: LongTexts): object {
  const { providerModel, prompt, sampling, outputTokensMax, outputSchema } = call;
  return {
    contents: alternatingTurns(prompt.turns).map((turn) => ({
      role: turn.role === 'assistant' ? 'model' : 'user',
      parts: partsOf(turn, { providerModel, texts }),
    })),
    generationConfig: {
      ...(outputTokensMax !== undefined && { maxOutputTokens: outputTokensMax }),
      ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
      ...(sampling.topP !== undefined && { topP: sampling.topP }),
      ...thinkingOf(call),
      ...(outputSchema && { responseMimeType: 'application/json' }),
      ...(outputSchema?.schema && { responseJsonSchema: outputSchema.schema }),
    },
    ...(prompt.tools && toolFields(prompt.tools)),
    ...(prompt.system?.trim() && {
      systemInstruction: { role: 'system', parts: [{ text: texts.of({ text: prompt.system }) }] },
    }),
  };
}

/** Images stand before the text; there is a text unless there is anything else. */
function partsOf(turn: ChatTurn, to: { readonly providerModel: string; readonly texts: LongTexts }): object[] {
  const { images = [], text } = turn;
  const pictures = images.map(({ mediaType, base64 }) => ({
    inlineData: { mimeType: mediaType, data: to.texts.of({ text: base64 }) },
  }));
  const tools = toolParts(turn, to);
  const isAlone = pictures.length + tools.length === 0;
  const words = isAlone || text.trim() !== '' ? [{ text: to.texts.of(turn) }] : [];
  return turn.role === 'assistant' ? [...words, ...tools] : [...tools, ...pictures, ...words];
}

/** Models before Gemini 3 take a number of tokens instead of a level; these are those of Google's own OpenAI endpoint. */
const THINKING_TOKENS: Readonly<Record<ReasoningEffort, number>> = { low: 1_024, medium: 8_192, high: 24_576 };
/** Knows two levels only. */
const TWO_LEVELS = 'gemini-3-pro';

function thinkingOf({ providerModel, reasoningEffort }: ProviderCall): object {
  if (!reasoningEffort) return {};
  if (providerModel.startsWith('gemini-2.'))
    return { thinkingConfig: { thinkingBudget: THINKING_TOKENS[reasoningEffort] } };
  const hasMedium = !providerModel.startsWith(TWO_LEVELS);
  return { thinkingConfig: { thinkingLevel: reasoningEffort === 'medium' && !hasMedium ? 'high' : reasoningEffort } };
}

/**
 * The fault of a reply that is not a 2xx. Gemini says in the body's details what others say in a header or a status:
 * how long to wait (`RetryInfo`), and that a 400 is about the key.
 */
async function httpFault(response: Response): Promise<ModelFault> {
  // One that is too long, or cut off, is as good as none.
  const report = reportIn(await response.text().catch(() => ''));
  const { message, details } = fieldsOf(report);
  const facts: unknown[] = Array.isArray(details) ? details : [];
  const kind = facts.some(isKeyInvalid) ? 'unauthorized' : kindOfStatus(response.status, { message });
  return new ModelFault(kind, {
    namesEffort: namesEffort(kind, message),
    retryAfterSeconds: retryAfterSeconds(response.headers) ?? retryDelaySeconds(facts),
    cause: { status: response.status, error: report },
  });
}

/** The error report of a body: an object, or a list of one; undefined for anything else. */
function reportIn(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body);
    return fieldsOf(Array.isArray(parsed) ? parsed[0] : parsed)['error'];
  } catch {
    return undefined;
  }
}

function isKeyInvalid(detail: unknown): boolean {
  return fieldsOf(detail)['reason'] === 'API_KEY_INVALID';
}

/** `retryDelay` is a protobuf duration: seconds with an `s`. */
function retryDelaySeconds(details: readonly unknown[]): number | undefined {
  for (const detail of details) {
    const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(textOf(fieldsOf(detail)['retryDelay']))?.[1];
    if (seconds !== undefined) return Number(seconds);
  }
  return undefined;
}
