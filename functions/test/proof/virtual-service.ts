import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { ModelProvider } from '../../src/models/model';
import { type App, startApp } from '../support/app';
import { type FakeClock, fakeClock } from '../support/fake-clock';
import { type Behaviour, faultyModels, type UpstreamCall } from './faulty-models';
import type { Schedule } from './schedule';

/** Everything a client saw of one request, and the upstream of it. */
export interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Times at which bytes arrived, and their end, from the request's start. */
  readonly arrivalsMs: readonly number[];
  /** True if the client saw the reply's end. */
  readonly complete: boolean;
  readonly requestId: string;
  readonly calls: readonly UpstreamCall[];
  /** Timers of the service that are left. */
  readonly pending: number;
}

/** The whole service over real HTTP and its real store, with models and a time of our own. */
export interface VirtualService extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly app: App;
  /** Posts a body, a minute after the last one, while the models behave so. */
  post(path: string, body: object, upstream: UpstreamScript): Promise<Exchange>;
  get(path: string): Promise<Exchange>;
}

export interface UpstreamScript extends Pick<Schedule, 'leavesAfterMs'> {
  /** Behaviours by model id. */
  readonly behaviours: ReadonlyMap<string, Behaviour>;
}

const MINUTE_MS = 61_000;
const SERVER_TIMEOUT_MS = 540_000;
const NO_UPSTREAM: UpstreamScript = { leavesAfterMs: null, behaviours: new Map() };

/** Starts the service on a loopback port. */
export async function startVirtualService(): Promise<VirtualService> {
  const wire = watchWire();
  const clock = fakeClock(undefined, wire.quiet);
  let models: ModelProvider = faultyModels(clock.world, NO_UPSTREAM.behaviours).provider;
  const app = await startApp({ clock, provider: { run: (...call) => models.run(...call) } });
  app.server.on('connection', wire.serverSide);
  let response: ServerResponse | undefined;
  app.server.on('request', (_, answered) => {
    response = answered;
  });

  const send = async (method: string, path: string, body: string, upstream: UpstreamScript): Promise<Exchange> => {
    await clock.advance(MINUTE_MS);
    const faulty = faultyModels(clock.world, upstream.behaviours);
    models = faulty.provider;
    const headers = { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' };
    const sent = request(app.baseUrl + path, { method, headers, agent: false });
    sent.on('socket', wire.clientSide);
    if (upstream.leavesAfterMs !== null) clock.world.after(upstream.leavesAfterMs, () => sent.destroy());
    const seen = watchReply(sent, clock);
    sent.end(body);
    await clock.settle(seen.closed, SERVER_TIMEOUT_MS);
    // The ledger of a reader who has left is settled after it has gone.
    await wire.quiet();
    // A client that has left need not have seen it.
    const requestId = String(response?.getHeader('x-request-id'));
    return { ...seen.reply, requestId, calls: faulty.calls, pending: clock.pending };
  };
  return {
    clock,
    app,
    post: (path, body, upstream) => send('POST', path, JSON.stringify(body), upstream),
    get: (path) => send('GET', path, '', NO_UPSTREAM),
    [Symbol.asyncDispose]: app.close,
  };
}

type Seen = { -readonly [Key in keyof Omit<Exchange, 'requestId' | 'calls' | 'pending'>]: Exchange[Key] };

function watchReply(sent: ClientRequest, clock: FakeClock): { reply: Seen; closed: Promise<void> } {
  const startedMs = clock.nowMs();
  const arrivalsMs: number[] = [];
  const reply: Seen = { status: 0, headers: {}, body: '', arrivalsMs, complete: false };
  sent.on('response', (response: IncomingMessage) => {
    reply.status = response.statusCode ?? 0;
    reply.headers = response.headers;
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      reply.body += text;
      arrivalsMs.push(clock.nowMs() - startedMs);
    });
    response.on('error', () => undefined);
    response.on('close', () => {
      reply.complete = response.complete;
      arrivalsMs.push(clock.nowMs() - startedMs);
    });
  });
  sent.on('error', () => undefined);
  return { reply, closed: new Promise((resolve) => sent.on('close', () => resolve())) };
}

/** Turns of the event loop without anything on the wire or the disk, after which only time can move things on. */
const CALM_TURNS = 4;

/** Watches one connection at a time, from both sides, and the disk. */
function watchWire() {
  let client: Socket | undefined;
  let server: Socket | undefined;
  const busy = (): boolean => {
    if (process.getActiveResourcesInfo().includes('FSReqCallback')) return true;
    if (!client) return false;
    if (client.destroyed) return server !== undefined && !server.destroyed;
    if (client.connecting || !server) return true;
    return server.bytesWritten !== client.bytesRead || client.bytesWritten !== server.bytesRead;
  };
  return {
    clientSide: (socket: Socket): void => {
      client = socket;
      server = undefined;
    },
    serverSide: (socket: Socket): void => {
      server = socket;
    },
    quiet: async (): Promise<void> => {
      for (let calm = 0; calm < CALM_TURNS; calm += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        if (busy()) calm = -1;
      }
    },
  };
}
