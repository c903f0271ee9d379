import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest, Route } from '../endpoints/endpoint';
import { Fault, isRefusal, refuse } from '../errors';
import type { Guard } from '../guard/guard';
import { type Clock, newId } from '../lib/clock';
import type { Log } from '../lib/log';
import { type RequestTrace, traceRequest } from '../lib/request-trace';
import { readJsonBody } from './body';
import { answerCors } from './cors';
import { sendJson, sendRefusal } from './reply';
import { sendStream } from './sse';

/** Answers one HTTP request. Never rejects. */
export type App = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** What the HTTP edge needs. */
export interface AppOptions {
  readonly routes: readonly Route[];
  readonly guard: Guard;
  readonly clock: Clock;
  readonly log: Log;
  readonly corsOrigins: readonly string[];
}

/** Builds the app: route (404/405) → key (401) → subscription (403) → the endpoint. The one catch is here. */
export function createApp(options: AppOptions): App {
  return async (req, res) => {
    const startedAtMs = options.clock.nowMs();
    const id = newId(options.clock);
    const url = targetOf(req.url ?? '/');
    const gone = clientGone(res);
    const method = req.method ?? '';
    const trace = traceRequest(options.log, { requestId: id, method, path: url.pathname, headers: req.headers });
    let userId: string | undefined;
    res.setHeader('x-request-id', id);
    try {
      if (answerCors(req, res, options.corsOrigins)) return;
      userId = await answer(options, { req, res, url, id, startedAtMs, gone, trace });
    } catch (error) {
      if (!gone.aborted) sendFault(options.log, { res, id }, error);
    } finally {
      // 499 as proxies write it: the client left before it had the whole reply.
      const status = gone.aborted ? 499 : res.statusCode;
      const durationMs = options.clock.nowMs() - startedAtMs;
      trace.requestEnded({ status, durationMs, ...(userId !== undefined && { userId }) });
    }
  };
}

function sendFault(log: Log, { res, id }: Pick<Exchange, 'res' | 'id'>, error: unknown): void {
  log.requestFailed(id, error);
  const fault = error instanceof Fault ? error : new Fault('internal');
  sendRefusal(res, refuse(fault.code, fault.publicText));
}

/** The request target as a URL. `//host/x` is a path and names no host; what is no URL at all becomes `/`. */
function targetOf(target: string): URL {
  const url = target.startsWith('/') ? `http://localhost${target}` : target;
  return URL.parse(url) ?? new URL('http://localhost/');
}

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly url: URL;
  readonly id: string;
  readonly startedAtMs: number;
  readonly gone: AbortSignal;
  readonly trace: RequestTrace;
}

/** Returns the caller's user id, once known, for the log. */
async function answer(options: AppOptions, exchange: Exchange): Promise<string | undefined> {
  const { req, res } = exchange;
  const route = findRoute(options.routes, exchange);
  if (isRefusal(route)) {
    sendRefusal(res, route);
    return undefined;
  }
  const caller = await options.guard.identify(req.headers.authorization, route.limited);
  if (isRefusal(caller)) {
    sendRefusal(res, caller);
    return undefined;
  }
  const reply = await route.handle(apiRequest(exchange, caller));
  if (isRefusal(reply)) sendRefusal(res, reply);
  else if (reply.kind === 'json') sendJson(res, reply);
  else {
    const fault = await sendStream(res, reply, options.clock);
    if (fault && !exchange.gone.aborted) options.log.requestFailed(exchange.id, fault);
  }
  return caller.userId;
}

function findRoute(routes: readonly Route[], { req, url }: Exchange): Route | ReturnType<typeof refuse> {
  const { pathname } = url;
  const onPath = routes.filter(({ path }) => path === pathname || `${path}/` === pathname);
  if (onPath.length === 0) return refuse('not_found', `Unknown route: ${req.method} ${pathname.slice(0, 200)}`);
  const route = onPath.find(({ method }) => method === req.method);
  if (route) return route;
  const allow = onPath.map(({ method }) => method).join(', ');
  return refuse('method_not_allowed', `Method not allowed: use ${allow}`, { allow });
}

function apiRequest({ req, url, id, startedAtMs, gone, trace }: Exchange, caller: ApiRequest['caller']): ApiRequest {
  return {
    id,
    startedAtMs,
    caller,
    query: url.searchParams,
    readJson: () => readJsonBody(req),
    clientGone: gone,
    trace,
  };
}

/** Aborts when the connection closes before the reply is finished. `req` closes as soon as its body is read: useless here. */
function clientGone(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
