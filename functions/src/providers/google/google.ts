/*
 * The Gemini protocol. Imports `transport/` and the model port; loads the SDK on the first call, and must not let its types
 * out.
 */
import type { GenerateContentConfig, GenerateContentParameters } from '@google/genai/web';
import { loadOnce } from '../../lib/lazy';
import { isAddress } from '../../models/images';
import type { ChatTurn, ModelProvider, ProviderCall, ReasoningEffort } from '../../models/model';
import { ModelFault } from '../../models/model-fault';
import { argumentsObject, type ToolOffer } from '../../models/tools';
import { createAdapter, type ProviderOptions } from '../transport/adapter';
import type { LongTexts } from '../transport/long-texts';
import { alternatingTurns, withToolImages } from '../transport/turns';
import { GoogleReply, SIGNATURE_MARK } from './google-reply';

const DEFAULT_BASE_URL = 'https://generativelanguage.googleapis.com';
/** The SDK's own default has not all that is sent. */
const API_VERSION = 'v1beta';
/** A model's name becomes part of the URL, and clients may name any model: nothing that could lead elsewhere. */
const MODEL_NAME = /^(?:models\/|tunedModels\/)?[A-Za-z0-9](?!.*\.\.)[\w.-]{0,199}$/;

/** Gemini’s `streamGenerateContent`. The SDK’s entry for browsers reads no environment and signs in with the key (ADR 4). */
export function createGoogleProvider({ apiKey, baseUrl }: ProviderOptions): ModelProvider {
  const address = baseUrl ?? DEFAULT_BASE_URL;
  const client = loadOnce(async () => {
    const { GoogleGenAI } = await import('@google/genai/web');
    // As a header of ours the key is sent as it is: the SDK turns away some, and complains of others on the console.
    const headers = { 'x-goog-api-key': apiKey };
    const httpOptions = { baseUrl: address, headers };
    return new GoogleGenAI({ apiKey: apiKey || 'none', apiVersion: API_VERSION, httpOptions });
  });
  return createAdapter({
    address: `${address}/${API_VERSION}/models`,
    request: async (call, { longTexts, fetch }) => {
      const { models } = await client();
      const { providerModel: model } = call;
      if (!MODEL_NAME.test(model)) throw new ModelFault('not_found');
      const { contents, config } = requestOf(call, longTexts);
      const httpOptions = { fetch };
      return models.generateContentStream({ model, contents, config: { ...config, ...ONE_REQUEST, httpOptions } });
    },
    replyTo: ({ providerModel }, listener) => new GoogleReply(listener, providerModel),
    // Keywords that it does not know are passed over in silence.
    holds: ({ schema, strict = true }) => schema === undefined || strict,
  });
}

/** Unasked, the SDK goes on with a reply that ends early: requests that nobody would book. */
const ONE_REQUEST = { automaticContinuation: false } as const;

/** The part of a request that is used. */
function requestOf(call: ProviderCall, texts: LongTexts): Pick<GenerateContentParameters, 'contents' | 'config'> {
  const { providerModel, prompt, sampling, outputTokensMax, outputSchema } = call;
  const contents = alternatingTurns(prompt.turns).map((turn) => ({
    role: turn.role === 'assistant' ? 'model' : 'user',
    parts: partsOf(turn, { providerModel, texts }),
  }));
  const config: GenerateContentConfig = {
    ...(outputTokensMax !== undefined && { maxOutputTokens: outputTokensMax }),
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(sampling.topP !== undefined && { topP: sampling.topP }),
    ...thinkingOf(call),
    ...(outputSchema && { responseMimeType: 'application/json' }),
    ...(outputSchema?.schema && { responseJsonSchema: outputSchema.schema }),
    ...(prompt.webSearch && { tools: [{ googleSearch: {} }] }),
    ...(prompt.tools && toolFields(prompt.tools)),
    ...(prompt.system?.trim() && {
      systemInstruction: { role: 'system', parts: [{ text: texts.of({ text: prompt.system }) }] },
    }),
  };
  return { contents, config };
}

/** Images stand before the text; there is a text unless there is anything else. */
function partsOf(turn: ChatTurn, to: { readonly providerModel: string; readonly texts: LongTexts }): object[] {
  const shown = withToolImages(turn);
  // An address must have its media type beside it, which nobody knows: models of this protocol are shown none.
  const pictures = (shown.images ?? []).flatMap((image) =>
    isAddress(image) ? [] : [{ inlineData: { mimeType: image.mediaType, data: to.texts.of({ text: image.base64 }) } }],
  );
  const tools = toolParts(turn, to);
  const isAlone = pictures.length + tools.length === 0;
  const words = isAlone || shown.text.trim() !== '' ? [{ text: to.texts.of(shown) }] : [];
  return turn.role === 'assistant' ? [...words, ...tools] : [...tools, ...pictures, ...words];
}

/** Models before Gemini 3 take a number of tokens instead of a level; these are those of Google's own OpenAI endpoint. */
const THINKING_TOKENS: Readonly<Record<ReasoningEffort, number>> = {
  ...{ none: 0, minimal: 1_024, low: 1_024, medium: 8_192, high: 24_576, xhigh: 24_576, max: 24_576 },
};
/** Levels of later models; none of them can be told not to think. */
const THINKING_LEVELS: Readonly<Record<ReasoningEffort, string>> = {
  ...{ none: 'minimal', minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' },
};
/** Knows two levels only. */
const TWO_LEVELS = 'gemini-3-pro';

function thinkingOf({ providerModel, reasoningEffort }: ProviderCall): object {
  if (!reasoningEffort) return {};
  if (providerModel.startsWith('gemini-2.'))
    return { thinkingConfig: { thinkingBudget: THINKING_TOKENS[reasoningEffort] } };
  const level = THINKING_LEVELS[reasoningEffort];
  const knownLevel = providerModel.startsWith(TWO_LEVELS) ? { minimal: 'low', medium: 'high' }[level] : undefined;
  return { thinkingConfig: { thinkingLevel: knownLevel ?? level } };
}

/** Value that Gemini 3 takes in the place of a signature, as with calls that another model has made. */
const UNSIGNED = 'skip_thought_signature_validator';
const SIGNS_NOTHING = /^(?:models\/)?gemini-[12]/;

/** The fields of a request that offer tools. */
function toolFields({ tools, choice }: ToolOffer): object {
  const mode = typeof choice === 'object' ? 'ANY' : { auto: 'AUTO', none: 'NONE', required: 'ANY' }[choice ?? 'auto'];
  const only = typeof choice === 'object' && { allowedFunctionNames: [choice.name] };
  return {
    tools: [
      {
        functionDeclarations: tools.map(({ name, description, parameters }) => ({
          name,
          ...(description !== undefined && { description }),
          ...(parameters && { parametersJsonSchema: parameters }),
        })),
      },
    ],
    ...(choice && { toolConfig: { functionCallingConfig: { mode, ...only } } }),
  };
}

/** Calls and results of tools as parts of a turn. @internal */
export function toolParts(
  { toolCalls = [], toolResults = [] }: ChatTurn,
  { providerModel, texts }: { readonly providerModel: string; readonly texts: LongTexts },
): object[] {
  const isSigned = !SIGNS_NOTHING.test(providerModel);
  const calls = toolCalls.map(({ id, name, arguments: text }, index) => {
    const at = id.indexOf(SIGNATURE_MARK);
    // Of calls made at once only the first is signed.
    const unsigned = isSigned && index === 0 ? UNSIGNED : '';
    const thoughtSignature = at < 0 ? unsigned : id.slice(at + SIGNATURE_MARK.length);
    return { functionCall: { name, args: argumentsObject(text) }, ...(thoughtSignature && { thoughtSignature }) };
  });
  const results = toolResults.map(({ name, text }) => ({
    functionResponse: { name, response: { result: texts.of({ text }) } },
  }));
  return [...calls, ...results];
}
