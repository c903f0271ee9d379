import { once } from 'node:events';
import http, { type AgentOptions, type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, Readable, type Transform } from 'node:stream';
import zlib, { constants } from 'node:zlib';
import { lazy } from '../../lib/lazy';
import type { LongTexts, SharedBody } from './long-texts';
import { proxiesOf } from './proxies';
import { wellFormedJson } from './reply-fields';

/** One pair of agents for the process, made with the first request: few connections are kept busy, idle ones close. */
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

/** Sends a request on node:http, without compression or redirects. Rejects with the network’s error or the reason of the signal. */
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

/** A response as it is read: its head, and its body without a content coding. */
export type UpstreamResponse = Readable & Pick<IncomingMessage, 'statusCode' | 'headers'>;

/** A body that was cut off is decoded up to there: the reader of the reply tells whether anything is missing. */
const SYNC = { finishFlush: constants.Z_SYNC_FLUSH };
/** The window that every decoder of the web has (RFC 9659): the library's own default takes 128 MiB. */
const ZSTD = { finishFlush: constants.ZSTD_e_flush, params: { [constants.ZSTD_d_windowLogMax]: 23 } };
/** The lower half of a zlib stream's first byte; some servers send deflate without that frame. */
const ZLIB_METHOD = 8;

/** Decoder of a body that begins with these bytes; undefined for one that is not coded after all. */
function decoderOf(coding: string, first: Buffer): Transform | undefined {
  const begins = (magic: string): boolean => magic.startsWith(first.toString('hex', 0, magic.length / 2));
  if (coding === 'gzip' && begins('1f8b')) return zlib.createGunzip(SYNC);
  if (coding === 'zstd' && begins('28b52ffd')) return zlib.createZstdDecompress(ZSTD);
  if (coding === 'br') return zlib.createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
  if (coding !== 'deflate') return undefined;
  return ((first[0] ?? ZLIB_METHOD) & 0x0f) === ZLIB_METHOD ? zlib.createInflate(SYNC) : zlib.createInflateRaw(SYNC);
}

/** The response with its body decoded: some gateways compress unasked, some leave the header on what they have decoded. */
async function decoded(message: IncomingMessage): Promise<UpstreamResponse> {
  const coding = message.headers['content-encoding']?.trim().toLowerCase().replace(/^x-/, '');
  if (coding === undefined) return message;
  await once(message, 'readable');
  const first: Buffer = message.read() ?? Buffer.alloc(0);
  if (first.length > 0) message.unshift(first);
  const decoder = decoderOf(coding, first);
  if (!decoder) return message;
  const { statusCode = 0, headers } = message;
  // The reader of the decoder is told of what goes wrong, and closing it closes the message.
  pipeline(message, decoder, () => undefined);
  return Object.assign(decoder, { statusCode, headers });
}
