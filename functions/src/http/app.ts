/*
 * The edge: bytes, headers, bodies and server-sent events, and the table of routes. It may import the guard and what is
 * below it, and must not know what a run or a chunk is.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Guard, refuseEndpoint } from '../access/guard';
import { type ErrorCode, Fault, isRefusal, type Refusal, refuse, refuseRestarting, statusOf } from '../errors';
import { type Clock, newId } from '../lib/clock';
import type { Log } from '../lib/log';
import type { OpenWork } from '../lib/open-work';
import { createLineSample, type RequestTrace, traceRequest } from '../telemetry/request-trace';
import { type AccountGate, accountReply, networkOf } from './account-reply';
import { framingFlaw, type ReadBody } from './body';
import { withChallenge } from './challenge';
import { answerCors, type CorsOrigins } from './cors';
import { errorBodyAt } from './error-body';
import { type Reply, sendReply } from './reply';
import type { ApiRequest, RequestHeaders, Route } from './route';
import type { FindRoute } from './route-table';

export type App = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

interface AppOptions extends CorsOrigins {
  readonly findRoute: FindRoute;
  readonly guard: Guard;
  readonly clock: Clock;
  readonly log: Log;
  readonly readBody: ReadBody;
  /** Every request is part of it, from its head to the last byte of its reply. */
  readonly openWork: OpenWork;
  readonly accountGate: AccountGate;
}

interface AppParts extends AppOptions {
  /** True if a request of nobody that ended with this status gets a line in the log. */
  readonly isLogged: (status: number) => boolean;
}

export function createApp(options: AppOptions): App {
  const { openWork } = options;
  const parts = { ...options, isLogged: createLineSample(options) };
  return async (req, res) => {
    const end = openWork.begin();
    try {
      await answer(parts, req, res);
    } finally {
      if (res.closed) end();
      else res.once('close', end);
    }
  };
}

/** Preflights, then the reply and its faults: the one catch is here. */
async function answer(options: AppParts, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { clock, log, openWork, isLogged } = options;
  const startedAtMs = clock.nowMs();
  const id = newId(clock);
  const url = urlOf(req.url ?? '/');
  const path = url.pathname;
  const { method = '', headers } = req;
  const clientGone = goneSignal(res);
  const trace = traceRequest(log, { requestId: id, method, path, headers, isLogged });
  const send = (reply: Reply): Promise<void> => {
    if (!openWork.stopping.aborted) closeOnceRead(req, res);
    else if (!res.headersSent) res.setHeader('connection', 'close');
    return sendReply(res, reply, { clock, bodyOf: (refusal) => errorBodyAt({ path, requestId: id }, refusal) });
  };
  res.setHeader('x-request-id', id);
  // Anthropic's clients know it by this name.
  if (path.startsWith('/anthropic/')) res.setHeader('request-id', id);
  try {
    if (answerCors(res, path, options)) return;
    await send(await replyTo(options, req, { id, url, startedAtMs, clientGone, trace }));
  } catch (error) {
    if (clientGone.aborted) return;
    log.error('request failed', trace.where, error);
    const { code, publicText, headers } = error instanceof Fault ? error : new Fault('internal');
    await send(refuse(code, publicText, headers));
  } finally {
    // 499 as proxies write it: the client left before it had the whole reply.
    const status = clientGone.aborted ? 499 : res.statusCode;
    const durationMs = clock.nowMs() - startedAtMs;
    trace.requestEnded({ status, durationMs });
  }
}

type Exchange = Pick<ApiRequest, 'id' | 'startedAtMs' | 'clientGone'> & {
  readonly url: URL;
  readonly trace: RequestTrace;
};

/** Checks the end of the process, framing, route, key, subscription, bucket and scope; then asks the endpoint. */
async function replyTo(options: AppParts, req: IncomingMessage, { url, ...exchange }: Exchange): Promise<Reply> {
  const { findRoute, guard, openWork, readBody } = options;
  const { method = '', headers } = req;
  const { stopping } = openWork;
  if (stopping.aborted) return refuseRestarting();
  const flaw = framingFlaw(req);
  if (flaw) return flaw;
  const { pathname, searchParams: query } = url;
  const found = findRoute(method, pathname, headers);
  if (isRefusal(found)) return found;
  const network = networkOf(req, options.accountGate.behindPlatform);
  if ('openRoute' in found) return found.openRoute.handle(query, headers, pathname, network);
  const lastEventId = headers['last-event-id']?.toString();
  const readJsonOf = (userId: string) => unlessStopping(stopping, readBody(req, userId));
  if ('accountRoute' in found) {
    const { accountRoute, resourceId } = found;
    const known = (userId: string): void => exchange.trace.note({ userId, endpoint: 'dashboard' });
    const told = { ...exchange, request: req, query, resourceId, lastEventId, known, readJson: readJsonOf };
    return accountReply(options.accountGate, accountRoute, told);
  }
  const { route, resourceId } = found;
  const authorization = authorizationOf(headers, pathname);
  const caller = await guard.identify(authorization, route.limited);
  if (isRefusal(caller))
    return caller.code === 'unauthorized' ? withChallenge(caller, { ...headers, authorization }, pathname) : caller;
  const { endpoint } = route;
  exchange.trace.note({ userId: caller.userId, keyId: caller.keyId, endpoint });
  // Nobody is there to be answered; what is returned is not sent.
  if (exchange.clientGone.aborted) return refuse('internal');
  const readJson = () => readJsonOf(caller.userId);
  const idempotencyKey = headers['idempotency-key']?.toString();
  const request = { ...exchange, caller, endpoint, query, resourceId, idempotencyKey, lastEventId, headers, readJson };
  const reads = route.method === 'GET';
  if (reads) guard.count(caller);
  const reply = refuseEndpoint(caller.limits, endpoint) ?? (await answerTo(route, request));
  if (!reads && isOwnFault(reply)) guard.count(caller);
  return reply;
}

/** The header `Authorization`; at the addresses of other protocols also the key alone, as Anthropic's clients send it. */
function authorizationOf({ authorization, 'x-api-key': key }: RequestHeaders, path: string): string | undefined {
  return authorization ?? (key === undefined || path.startsWith('/v1/') ? undefined : `Bearer ${key}`);
}

function answerTo(route: Route, request: ApiRequest): Promise<Reply> {
  return request.idempotencyKey !== undefined && route.repeat ? route.repeat(request) : route.handle(request);
}

const TOOK_SLOT: readonly ErrorCode[] = ['rate_limited', 'models_limited', 'models_refused'];

/** True if a request is refused for what it is, and took no rate slot. */
function isOwnFault(reply: Reply): boolean {
  return isRefusal(reply) && statusOf(reply.code) < 500 && !TOOK_SLOT.includes(reply.code);
}

/** Resolves with the work, or with a refusal as soon as the process is to end. */
async function unlessStopping<T>(stopping: AbortSignal, work: Promise<T>): Promise<T | Refusal> {
  const { promise: refused, resolve } = Promise.withResolvers<Refusal>();
  const refuseNow = (): void => resolve(refuseRestarting());
  stopping.addEventListener('abort', refuseNow);
  try {
    return await Promise.race([work, refused]);
  } finally {
    stopping.removeEventListener('abort', refuseNow);
  }
}

/** The request target as a URL. `//host/x` is a path and names no host; what is no URL at all becomes `//`, which is no route. */
function urlOf(target: string): URL {
  const url = target.startsWith('/') ? `http://localhost${target}` : target;
  return URL.parse(url) ?? new URL('http://localhost//');
}

/** Aborts when the connection closes before the reply is finished. (`req` closes as soon as its body is read.) */
function goneSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Closes a connection once its request is read: Node closes it before, and who still writes loses the reply. */
function closeOnceRead(req: IncomingMessage, res: ServerResponse): void {
  const isKept = req.httpVersion === '1.1' && !/close/i.test(req.headers.connection ?? '');
  if (req.complete || isKept || res.headersSent) return;
  res.setHeader('connection', 'keep-alive');
  req.once('end', () => req.socket.destroySoon());
}
