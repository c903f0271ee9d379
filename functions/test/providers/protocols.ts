import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ModelProvider, ProviderCall } from '../../src/models/model';
import { createAnthropicProvider } from '../../src/providers/anthropic';
import { createGoogleProvider } from '../../src/providers/google';
import { createOpenAiProvider } from '../../src/providers/openai';

/** What the tests that hold for every protocol need to know of one. */
export interface Protocol {
  readonly name: string;
  create(url: string): ModelProvider;
  /** A whole good stream, recorded in the provider's own shape; its pieces of text are `FIXTURE_TEXTS`. */
  readonly events: string;
  /** One event that carries `text`. */
  textEvent(text: string): string;
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
  return readFileSync(path.join(__dirname, 'fixtures', `${name}.chunks.txt`), 'utf8');
}

/** The same events with the other line end. */
export function withCrlf(events: string): string {
  return events.replaceAll('\n', '\r\n');
}

export const PROTOCOLS: readonly Protocol[] = [
  {
    name: 'openai',
    create: (url) => createOpenAiProvider({ apiKey: 'test-key', baseUrl: `${url}/v1` }),
    events: fixture('openai'),
    textEvent: (text) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`,
    overloadedEvent: 'data: {"error":{"message":"secret upstream words","code":503}}\n\n',
    errorBody: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
    contextMessage:
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
  },
  {
    name: 'anthropic',
    create: (url) => createAnthropicProvider({ apiKey: 'test-key', baseUrl: url }),
    events: fixture('anthropic'),
    textEvent: (text) =>
      `event: content_block_delta\ndata: ${JSON.stringify({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      })}\n\n`,
    overloadedEvent:
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"secret upstream words"}}\n\n',
    errorBody: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' }),
    contextMessage: 'prompt is too long: 207123 tokens > 200000 maximum',
  },
  {
    name: 'google',
    create: (url) => createGoogleProvider({ apiKey: 'test-key', baseUrl: url }),
    events: fixture('google'),
    textEvent: (text) =>
      `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }] })}\n\n`,
    overloadedEvent: 'data: {"error":{"code":503,"message":"secret upstream words","status":"UNAVAILABLE"}}\n\n',
    errorBody: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
    contextMessage: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  },
];

/** A call with one user turn, unless told otherwise. */
export function callOf(overrides: Partial<ProviderCall> = {}): ProviderCall {
  return {
    providerModel: 'some-model',
    prompt: { turns: [{ role: 'user', text: 'Hello' }] },
    sampling: {},
    purpose: 'answer',
    signal: new AbortController().signal,
    ...overrides,
  };
}
