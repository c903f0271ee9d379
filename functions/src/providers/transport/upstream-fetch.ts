import type { Domain } from 'node:domain';
import http, { type AgentOptions, type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { lazy } from '../../lib/lazy';
import { decoded, type UpstreamResponse } from './content-coding';
import type { LongTexts, SharedBody } from './long-texts';
import { proxiesOf } from './proxies';
import { wellFormedJson } from './well-formed';

/**
 * One pair of agents for the whole process, so that every request finds the warm connections of the ones before it.
 * Last in, first out keeps few connections busy and lets the others go; `timeout` closes idle ones (a busy one only
 * gets an event without listeners). The pool sets no limit on how many calls run at once. Made with the first request, when
 * the environment is complete.
 */
const AGENT_OPTIONS: AgentOptions = { keepAlive: true, maxSockets: Infinity, scheduling: 'lifo', timeout: 30_000 };
const agents = lazy(() => {
  const options = { ...AGENT_OPTIONS, proxyEnv: proxiesOf(process.env) };
  return { http: new http.Agent(options), https: new https.Agent(options) };
});

/** What an SDK passes on to `upstreamFetch` as it is. */
export interface FetchOptions extends Omit<RequestInit, 'body' | 'headers' | 'method' | 'signal'> {
  /** Ends the call, like the standard's `signal`. */
  readonly callSignal?: AbortSignal;
  /** What the marks in the body stand for. */
  readonly longTexts?: LongTexts;
}

/** A request as it goes to a provider. */
export interface UpstreamRequest extends Pick<FetchOptions, 'longTexts'> {
  readonly url: string | URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Each ends it. */
  readonly signals: readonly AbortSignal[];
}

/**
 * Sends a request on node:http and resolves with the response, to be read by 'data' events (ADR 4), whatever its status:
 * no redirect is followed. It asks for no compression, and undoes it where it comes all the same. Rejects with the original network error, or with the reason of the signal that ended it; an
 * abort after the response came destroys its stream at once.
 */
export function upstreamResponse({ body, ...request }: UpstreamRequest): Promise<UpstreamResponse> {
  if (typeof body !== 'string') return exchange({ ...request, body });
  // Halves of surrogate pairs are all that `JSON.stringify` writes so.
  const sent = { ...request, body: body.includes('\\ud') ? wellFormedJson(body) : body };
  const shared = request.longTexts?.bodyOf(sent.body);
  return shared ? shared.then((ready) => exchange(sent, ready)) : exchange(sent);
}

/**
 * `fetch` for the provider SDKs over `upstreamResponse`. Unlike the global one it takes a string or URL and a string or
 * `Uint8Array` body.
 */
export async function upstreamFetch(
  input: string | URL | Request,
  init: RequestInit & FetchOptions = {},
): Promise<Response> {
  const { method = 'GET', body, signal, callSignal, longTexts } = init;
  if (input instanceof Request) throw new TypeError('upstreamFetch takes a URL, not a Request');
  if (body != null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('upstreamFetch sends only strings and bytes');
  }
  const message = await upstreamResponse({
    url: input,
    method,
    headers: Object.fromEntries([...new Headers(init.headers)].filter(([name]) => SENT_HEADERS.has(name))),
    body: body ?? undefined,
    signals: [signal, callSignal].filter((each) => each != null),
    ...(longTexts && { longTexts }),
  });
  try {
    return responseOf(message);
  } catch (error) {
    message.destroy();
    throw error;
  }
}

function exchange(sent: UpstreamRequest, shared?: SharedBody): Promise<UpstreamResponse> {
  return new Promise((resolve, reject) => {
    const { signals } = sent;
    if (signals.some(({ aborted }) => aborted)) shared?.release();
    for (const signal of signals) signal.throwIfAborted();
    let message: IncomingMessage | undefined;
    const request = outsideDomain(() => send(sent, shared));
    const onAbort = (): void => {
      const reason: unknown = signals.find(({ aborted }) => aborted)?.reason;
      reject(reason);
      message?.destroy(reason as Error);
      request.destroy(reason as Error);
    };
    const release = (): void => {
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    };
    for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
    // Stays for good: an error after the response came is the stream's to report, and must not go unhandled here.
    request.on('error', (error) => {
      release();
      reject(error);
    });
    request.once('response', (arrived) => {
      message = arrived;
      arrived.once('close', release);
      resolve(decoded(arrived));
    });
  });
}

/**
 * The stream behind a response that an SDK handed through, to be read by 'data' events. Read either this or the body of
 * the response, once. Throws for a response of another fetch.
 */
export function upstreamStream(response: Response): Readable {
  if ('stream' in response && response.stream instanceof Readable) return response.stream;
  throw new TypeError('the SDK did not return the response of upstreamFetch');
}

/** A whole body is only ever one completion, or an error report; more than this is refused. */
const BODY_MAX_BYTES = 4 * 1024 * 1024;
const REPORT_MAX_BYTES = 64 * 1024;
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * A response with the Node stream behind it. Throws when the status or a header is one that `Response` does not accept.
 * The stream is not in a WeakMap: a young collection takes the values of an old one for alive, so that each stream was
 * copied twice and stayed until a full collection, with all that hung on it. Nor is there a class of our own: to extend
 * `Response` loads Node's whole fetch, 26 ms of a start, for calls that may never come.
 */
function responseOf(message: UpstreamResponse): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = message;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const body = WITHOUT_BODY.has(status) ? null : bodyOf(message, status < 400 ? BODY_MAX_BYTES : REPORT_MAX_BYTES);
  if (!body) message.resume();
  return Object.assign(new Response(body, { status, statusText, headers }), { stream: message });
}

/** Reads nothing before it is read itself: SDKs look at the body of a response whose stream is read elsewhere. */
function bodyOf(message: Readable, maxBytes: number): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]();
  let size = 0;
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done) return controller.close();
        size += value.length;
        controller.enqueue(value);
        if (size <= maxBytes) return;
        message.destroy();
        throw new RangeError('upstream body too large');
      },
      cancel: () => {
        message.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * What the protocols need, and nothing else: SDKs add headers that describe the machine, and any that an environment
 * variable of theirs names, also to calls that carry a user's own key.
 */
const SENT_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'anthropic-beta',
  'anthropic-version',
  'authorization',
  'content-type',
  'user-agent',
  'x-api-key',
  'x-goog-api-key',
]);

function send({ url: target, method, headers, body }: UpstreamRequest, shared: SharedBody | undefined): ClientRequest {
  const url = new URL(target);
  const options = { method, headers: { ...headers, 'accept-encoding': 'identity' } };
  const request =
    url.protocol === 'https:'
      ? https.request(url, { ...options, agent: agents().https })
      : http.request(url, { ...options, agent: agents().http });
  if (shared) sendInSlices(request, shared);
  else request.end(body);
  return request;
}

/** As much is handed to a connection at a time: encrypting it, or waiting for a slow one, takes a copy. */
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

/**
 * Runs `create` outside every active domain. The Functions Framework runs each request inside a node:domain; emitters
 * made there would be bound to it: each of their events would enter and leave it, and a kept-alive socket would belong
 * to the request that first opened it. The price: a handler of such an emitter that throws ends the process.
 */
function outsideDomain<T>(create: () => T): T {
  const left: Domain[] = [];
  for (let domain = activeDomain(); domain; domain = activeDomain()) {
    left.push(domain);
    domain.exit();
  }
  try {
    return create();
  } finally {
    for (const domain of left.reverse()) domain.enter();
  }
}

/** Read off `process`: importing node:domain would switch its hooks on where they are not. */
function activeDomain(): Domain | null | undefined {
  return (process as { readonly domain?: Domain | null }).domain;
}
