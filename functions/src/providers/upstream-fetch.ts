import type { Domain } from 'node:domain';
import http, { type AgentOptions, type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { UpstreamResponse } from './upstream-response';

/**
 * One pair of agents for the whole process, so that every request finds the warm connections of the ones before it.
 * Last in, first out keeps few connections busy and lets the others go; `timeout` closes idle ones (a busy one only
 * gets an event nobody listens to). The pool sets no limit on how many calls run at once.
 */
const AGENT_OPTIONS: AgentOptions = { keepAlive: true, maxSockets: Infinity, scheduling: 'lifo', timeout: 30_000 };
const httpAgent = new http.Agent(AGENT_OPTIONS);
const httpsAgent = new https.Agent(AGENT_OPTIONS);

/**
 * `fetch` for the provider SDKs on node:http, because the body can then be read by 'data' events: measured under the
 * Functions Framework, a web stream costs 80-160 µs an SSE chunk (several promises, each hooked by node:domain), an
 * event 40-60 µs.
 *
 * Unlike the global `fetch` it takes a string or URL and a string or `Uint8Array` body, never follows a redirect (a 3xx
 * is returned as it is), and asks for no compression. Rejects with the original network error, or with the signal's
 * reason; an abort after the response came destroys its stream at once.
 */
export function upstreamFetch(input: string | URL | Request, init: RequestInit = {}): Promise<UpstreamResponse> {
  return new Promise((resolve, reject) => {
    const { signal } = init;
    signal?.throwIfAborted();
    let message: IncomingMessage | undefined;
    const request = outsideDomain(() => send(input, init));
    const onAbort = (): void => {
      reject(signal?.reason);
      message?.destroy(signal?.reason);
      request.destroy(signal?.reason);
    };
    const release = (): void => signal?.removeEventListener('abort', onAbort);
    signal?.addEventListener('abort', onAbort, { once: true });
    // Stays for good: an error after the response came is the stream's to report, and must not go unhandled here.
    request.on('error', (error) => {
      release();
      reject(error);
    });
    request.once('response', (arrived) => {
      message = arrived;
      arrived.once('close', release);
      try {
        resolve(new UpstreamResponse(arrived));
      } catch (error) {
        request.destroy();
        reject(error);
      }
    });
  });
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

function send(input: string | URL | Request, init: RequestInit): ClientRequest {
  if (input instanceof Request) throw new TypeError('upstreamFetch takes a URL, not a Request');
  const { body } = init;
  if (body != null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('upstreamFetch sends only strings and bytes');
  }
  const url = new URL(input);
  const headers = Object.fromEntries([...new Headers(init.headers)].filter(([name]) => SENT_HEADERS.has(name)));
  const options = { method: init.method ?? 'GET', headers };
  const request =
    url.protocol === 'https:'
      ? https.request(url, { ...options, agent: httpsAgent })
      : http.request(url, { ...options, agent: httpAgent });
  request.end(body ?? undefined);
  return request;
}

/**
 * Runs `create` outside every active domain. The Functions Framework runs each request inside a node:domain; emitters
 * made there are bound to it, and each of their events then enters and leaves the domain (measured: part of the cost
 * above), and a kept-alive socket would stay bound to the request that first opened it.
 * The price: an error thrown by a handler of such an emitter ends the process. Handlers here must never throw.
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
