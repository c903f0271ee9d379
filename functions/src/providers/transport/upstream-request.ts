import http, { type AgentOptions, type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { lazy } from '../../lib/lazy';
import { decoded, type UpstreamResponse } from './content-coding';
import type { LongTexts, SharedBody } from './long-texts';
import { proxiesOf } from './proxies';
import { wellFormedJson } from './reply-fields';

/**
 * One pair of agents for the whole process, so that every request finds the warm connections of the ones before it.
 * Last in, first out keeps few connections busy and lets the others go; `timeout` closes idle ones (a busy one only
 * gets an event without listeners). Made with the first request, when the environment is complete.
 */
const AGENT_OPTIONS: AgentOptions = { keepAlive: true, maxSockets: Infinity, scheduling: 'lifo', timeout: 30_000 };
const agents = lazy(() => {
  const options = { ...AGENT_OPTIONS, proxyEnv: proxiesOf(process.env) };
  return { http: new http.Agent(options), https: new https.Agent(options) };
});

/** A request as it goes to a provider. */
export interface UpstreamRequest {
  readonly url: string | URL;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
  /** Texts that marks in the body stand for. */
  readonly longTexts?: LongTexts;
}

/**
 * Sends a request on node:http and resolves with the response, whatever its status: no redirect is followed. Asks for no
 * compression, and undoes it where it comes all the same. Rejects with the original network error, or with the reason of
 * the signal; an abort after the response came destroys its stream.
 */
export async function upstreamResponse({ body, longTexts, ...request }: UpstreamRequest): Promise<UpstreamResponse> {
  // `JSON.stringify` writes nothing but halves of surrogate pairs so.
  const json = body?.includes('\\ud') ? wellFormedJson(body) : body;
  const shared = json === undefined ? undefined : await longTexts?.bodyOf(json);
  try {
    request.signal.throwIfAborted();
    return await decoded(await exchange(request, shared ?? json));
  } catch (error) {
    shared?.release();
    throw error;
  }
}

/** Text of a whole body. Destroys the response and throws a `RangeError` when it is longer. */
export async function bodyText(response: Readable, maxBytes: number): Promise<string> {
  let text = '';
  let bytes = 0;
  for await (const piece of response.setEncoding('utf8')) {
    text += piece;
    bytes += Buffer.byteLength(piece);
    if (bytes > maxBytes) throw new RangeError('upstream body too large');
  }
  return text;
}

function exchange(sent: UpstreamRequest, body: string | SharedBody | undefined): Promise<IncomingMessage> {
  const { signal } = sent;
  return new Promise((resolve, reject) => {
    const request = begin(sent);
    const onAbort = (): void => {
      reject(signal.reason);
      request.destroy(signal.reason);
    };
    const release = (): void => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { once: true });
    // The listener for errors stays: one after the response came is the stream's to report.
    request.once('response', resolve).on('error', reject).once('error', release).once('close', release);
    if (typeof body === 'object') sendInSlices(request, body);
    else request.end(body);
  });
}

function begin({ url: target, method = 'GET', headers }: UpstreamRequest): ClientRequest {
  const url = new URL(target);
  const options = { method, headers: { ...headers, 'accept-encoding': 'identity' } };
  return url.protocol === 'https:'
    ? https.request(url, { ...options, agent: agents().https })
    : http.request(url, { ...options, agent: agents().http });
}

/** Bytes handed to a connection at a time: encrypting it, or waiting for a slow one, takes a copy. */
const SLICE_BYTES = 64 * 1024;

function sendInSlices(request: ClientRequest, body: SharedBody): void {
  request.setHeader('content-length', body.byteLength);
  request.once('finish', body.release).once('close', body.release);
  Readable.from(slicesOf(body.pieces)).pipe(request);
}

function* slicesOf(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += SLICE_BYTES) yield piece.subarray(start, start + SLICE_BYTES);
  }
}
