import { type ClientRequest, createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ModelProvider } from '../../src/models/model';
import { type Character, faultyModels, type PlayedCall } from './faulty-models';
import { startTestApp, type TestApp } from './test-app';
import { type VirtualClock, virtualClock } from './virtual-clock';
import type { Schedule } from './virtual-schedule';

/** Everything a client saw of one request, and the upstream of it. */
export interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** When bytes arrived, and the end of them, from the request's start. */
  readonly arrivalsMs: readonly number[];
  /** Whether the client saw the reply's end. */
  readonly complete: boolean;
  readonly requestId: string;
  readonly calls: readonly PlayedCall[];
  /** Timers of the service that are left. */
  readonly pending: number;
}

/** The whole service over real HTTP and its real store, its models and its time played. */
export interface VirtualService extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly app: TestApp;
  /** Posts a body, a minute after the last one, while these characters play the models. */
  post(path: string, body: object, played: Playing): Promise<Exchange>;
  get(path: string): Promise<Exchange>;
}

export interface Playing extends Pick<Schedule, 'leavesAfterMs'> {
  /** By model id. */
  readonly characters: ReadonlyMap<string, Character>;
}

const MINUTE_MS = 61_000;
const SERVER_TIMEOUT_MS = 540_000;
const NOBODY: Playing = { leavesAfterMs: null, characters: new Map() };

/** Starts the service on a loopback port. */
export async function startVirtualService(): Promise<VirtualService> {
  const wire = watchWire();
  const clock = virtualClock(wire.quiet);
  let models: ModelProvider = faultyModels(clock.world, NOBODY.characters).provider;
  const app = await startTestApp({ clock, provider: { run: (...call) => models.run(...call) } });
  const server = createServer((req, res) => void app.container.app(req, res));
  server.on('connection', wire.serverSide);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const send = async (method: string, path: string, body: string, playing: Playing): Promise<Exchange> => {
    await clock.pass(MINUTE_MS);
    const played = faultyModels(clock.world, playing.characters);
    models = played.provider;
    const headers = { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' };
    const sent = request({ port, host: '127.0.0.1', method, path, headers, agent: false });
    sent.on('socket', wire.clientSide);
    if (playing.leavesAfterMs !== null) clock.world.after(playing.leavesAfterMs, () => sent.destroy());
    const seen = watchReply(sent, clock);
    sent.end(body);
    await clock.settle(seen.closed, SERVER_TIMEOUT_MS);
    // The books of a reader who has left are settled behind its back.
    await wire.quiet();
    const requestId = String(seen.reply.headers['x-request-id']);
    return { ...seen.reply, requestId, calls: played.calls, pending: clock.pending };
  };
  return {
    clock,
    app,
    post: (path, body, playing) => send('POST', path, JSON.stringify(body), playing),
    get: (path) => send('GET', path, '', NOBODY),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await app.close();
    },
  };
}

type Seen = { -readonly [Key in keyof Omit<Exchange, 'requestId' | 'calls' | 'pending'>]: Exchange[Key] };

function watchReply(sent: ClientRequest, clock: VirtualClock): { reply: Seen; closed: Promise<void> } {
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
