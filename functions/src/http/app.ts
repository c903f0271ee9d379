/*
 * The edge: bytes, headers, bodies and server-sent events, and the table of routes. It may import the guard and what is
 * below it, and must not know what a run or a chunk is.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault, isRefusal, type Refusal, refuse } from '../errors';
import type { Guard } from '../guard/guard';
import { refuseEndpoint } from '../guard/key-scope';
import { type Clock, newId } from '../lib/clock';
import type { Log } from '../lib/log';
import { traceRequest } from '../telemetry/request-trace';
import { readJsonBody } from './body';
import type { BodyReader } from './body-bytes';
import { answerCors } from './cors';
import { sendReply } from './reply';
import type { Route } from './route';

/** Answers one HTTP request. Never rejects. */
export type App = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

interface AppOptions {
  readonly routes: readonly Route[];
  readonly guard: Guard;
  readonly clock: Clock;
  readonly log: Log;
  readonly bodies: BodyReader;
  readonly corsOrigins: readonly string[];
}

/** Builds the app. */
export function createApp(options: AppOptions): App {
  return (req, res) => answer(options, req, res);
}

/** Route (404, 405), key (401), subscription (403), then the endpoint. The one catch is here. */
async function answer(options: AppOptions, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { routes, guard, clock, log, bodies, corsOrigins } = options;
  const startedAtMs = clock.nowMs();
  const id = newId(clock);
  const { pathname: path, searchParams: query } = urlOf(req.url ?? '/');
  const { method = '', headers } = req;
  const clientGone = goneSignal(res);
  const trace = traceRequest(log, { requestId: id, method, path, headers });
  let userId: string | undefined;
  res.setHeader('x-request-id', id);
  try {
    if (answerCors(req, res, corsOrigins)) return;
    const route = findRoute(routes, method, path);
    if (isRefusal(route)) return await sendReply(res, route, clock);
    const caller = await guard.identify(headers.authorization, route.limited);
    if (isRefusal(caller)) return await sendReply(res, caller, clock);
    if (clientGone.aborted) return;
    const barred = refuseEndpoint(caller.limits, route.endpoint);
    if (barred) return await sendReply(res, barred, clock);
    const { endpoint } = route;
    const readJson = () => readJsonBody(bodies, req, caller.userId);
    const idempotencyKey = headers['idempotency-key']?.toString();
    const request = { id, startedAtMs, caller, endpoint, query, idempotencyKey, readJson, clientGone, trace };
    const reply = await route.handle(request);
    await sendReply(res, reply, clock);
    userId = caller.userId;
  } catch (error) {
    if (clientGone.aborted) return;
    log.error('request failed', { requestId: id }, error);
    const { code, publicText } = error instanceof Fault ? error : new Fault('internal');
    await sendReply(res, refuse(code, publicText), clock);
  } finally {
    // 499 as proxies write it: the client left before it had the whole reply.
    const status = clientGone.aborted ? 499 : res.statusCode;
    const durationMs = clock.nowMs() - startedAtMs;
    trace.requestEnded({ status, durationMs, ...(userId !== undefined && { userId }) });
  }
}

/** The request target as a URL. `//host/x` is a path and names no host; what is no URL at all becomes `/`. */
function urlOf(target: string): URL {
  const url = target.startsWith('/') ? `http://localhost${target}` : target;
  return URL.parse(url) ?? new URL('http://localhost/');
}

/** The row of the table for a method and a path, with or without a slash at its end. */
function findRoute(routes: readonly Route[], method: string, pathname: string): Route | Refusal {
  const onPath = routes.filter(({ path }) => path === pathname || `${path}/` === pathname);
  const route = onPath.find((row) => row.method === method);
  if (route) return route;
  if (onPath.length === 0) return refuse('not_found', `Unknown route: ${method} ${pathname.slice(0, 200)}`);
  const allow = onPath.map((row) => row.method).join(', ');
  return refuse('method_not_allowed', `Method not allowed: use ${allow}`, { allow });
}

/** Aborts when the connection closes before the reply is finished. (`req` closes as soon as its body is read.) */
function goneSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
