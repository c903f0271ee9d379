import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelPrompt, ModelProvider, ProviderCall } from '../../src/models/model';
import { createAnthropicProvider } from '../../src/providers/anthropic/anthropic';
import { createGoogleProvider } from '../../src/providers/google/google';
import { createOpenAiProvider } from '../../src/providers/openai/openai';
import { event, type RecordedRequest } from './fake-upstream';
import { callOf } from './provider-calls';

/** A call as it came over the wire. */
export interface WireCall extends ProviderCall {
  readonly hasSchema: boolean;
}

/** A protocol, as the tests that hold for all of them need it. */
export interface Protocol {
  readonly name: 'openai' | 'anthropic' | 'google';
  create(url: string): ModelProvider;
  /** The pattern of its requests' paths. */
  readonly path: RegExp;
  /** The model, the system prompt and the first turn of a request. */
  read(request: RecordedRequest): WireCall;
  /** A whole good stream, recorded in the provider's own shape; its pieces of text are `FIXTURE_TEXTS`. */
  readonly events: string;
  /** One event that carries `text`. */
  textEvent(text: string): string;
  /** One event of a model that thinks, without any text of its answer. */
  readonly thinkingEvent: string;
  /** A sign that the connection lives, which says nothing of the model. */
  readonly keepAlive: string;
  /** A whole good stream of one text that took so many tokens. */
  reply(text: string, promptTokens: number, completionTokens: number): string;
  /** An error report inside a stream that had begun well: the provider is overloaded. */
  readonly overloadedEvent: string;
  /** The body of an HTTP failure. */
  errorBody(message: string): object;
  readonly contextMessage: string;
}

/** The text of each recorded stream, piece by piece. */
export const FIXTURE_TEXTS = ['Grüße, ', '世界 👋🏽\n', '"fin"\t\u00a0'];

/** Reads a recorded stream. */
export function fixture(name: string): string {
  return readFileSync(join(__dirname, '..', 'providers', 'fixtures', name), 'utf8');
}

/** The same events with the other line end. */
export function withCrlf(events: string): string {
  return events.replaceAll('\n', '\r\n');
}

function wireCall(providerModel: string, prompt: { system: string; text: string }, schema: unknown): WireCall {
  const turns: ModelPrompt['turns'] = [{ role: 'user', text: prompt.text }];
  return {
    ...callOf({ providerModel, prompt: { system: prompt.system, turns }, purpose: 'judge' }),
    hasSchema: schema !== undefined,
  };
}

const GOOGLE_PATH = /\/models\/([^:]+):/;

function anthropicText(text: string): string {
  const delta = { type: 'text_delta', text };
  return `event: content_block_delta\n${event({ type: 'content_block_delta', index: 0, delta })}`;
}

export const PROTOCOLS: readonly Protocol[] = [
  {
    name: 'openai',
    create: (url) => createOpenAiProvider({ apiKey: 'sk-wire', baseUrl: `${url}/v1` }),
    path: /^\/v1\/chat\/completions/,
    read: ({ body }) => {
      const { model, messages, response_format: format } = JSON.parse(body);
      const [system, user] = messages;
      return wireCall(model, { system: system.content, text: user.content }, format);
    },
    events: fixture('openai.chunks.txt'),
    textEvent: (text) => event({ choices: [{ index: 0, delta: { content: text } }] }),
    thinkingEvent: event({ choices: [{ index: 0, delta: { reasoning_details: [{ type: 'reasoning.encrypted' }] } }] }),
    keepAlive: event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
    reply: (text, prompt_tokens, completion_tokens) =>
      event({ choices: [{ index: 0, delta: { content: text } }] }) +
      event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
      event({ choices: [], usage: { prompt_tokens, completion_tokens } }),
    overloadedEvent: 'data: {"error":{"message":"secret upstream words","code":503}}\n\n',
    errorBody: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
    contextMessage:
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
  },
  {
    name: 'anthropic',
    create: (url) => createAnthropicProvider({ apiKey: 'sk-wire', baseUrl: url }),
    path: /^\/v1\/messages/,
    read: ({ body }) => {
      const { model, system, messages, output_config: format } = JSON.parse(body);
      return wireCall(model, { system, text: messages[0].content }, format);
    },
    events: fixture('anthropic.chunks.txt'),
    textEvent: anthropicText,
    thinkingEvent: event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } }),
    keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
    reply: (text, input_tokens, output_tokens) =>
      event({ type: 'message_start', message: { usage: { input_tokens, output_tokens: 1 } } }) +
      anthropicText(text) +
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens } }) +
      event({ type: 'message_stop' }),
    overloadedEvent:
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"secret upstream words"}}\n\n',
    errorBody: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' }),
    contextMessage: 'prompt is too long: 207123 tokens > 200000 maximum',
  },
  {
    name: 'google',
    create: (url) => createGoogleProvider({ apiKey: 'sk-wire', baseUrl: url }),
    path: GOOGLE_PATH,
    read: ({ path, body }) => {
      const { contents, systemInstruction, generationConfig } = JSON.parse(body);
      const prompt = { system: systemInstruction.parts[0].text, text: contents[0].parts[0].text };
      return wireCall(GOOGLE_PATH.exec(path)?.[1] ?? '', prompt, generationConfig.responseJsonSchema);
    },
    events: fixture('google.chunks.txt'),
    textEvent: (text) => event({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }] }),
    thinkingEvent: event({ candidates: [{ content: { parts: [{ text: 'Hm', thought: true }], role: 'model' } }] }),
    keepAlive: event({ candidates: [{ content: { parts: [{ text: '' }], role: 'model' } }], usageMetadata: {} }),
    reply: (text, promptTokenCount, candidatesTokenCount) =>
      event({
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount, candidatesTokenCount },
      }),
    overloadedEvent: 'data: {"error":{"code":503,"message":"secret upstream words","status":"UNAVAILABLE"}}\n\n',
    errorBody: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
    contextMessage: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  },
];
