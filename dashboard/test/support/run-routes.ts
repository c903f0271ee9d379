import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openPlaygroundRun } from '../../../functions/src/endpoints/playground/playground';
import { playgroundSchema } from '../../../functions/src/endpoints/playground/request';
import { isRefusal } from '../../../functions/src/errors';
import { newId, systemClock } from '../../../functions/src/lib/clock';
import { createDemoProvider } from '../../../functions/src/providers/demo/demo';
import { run } from '../../../functions/src/runs/run';
import type { TracedEvent } from '../../../functions/src/runs/trace-event';
import { createTraceRecorder } from '../../../functions/src/runs/trace-recorder';
import { traceRequest } from '../../../functions/src/telemetry/request-trace';
import type { AppOptions } from '../../../functions/test/support/app';
import { LOCAL_USER } from '../../../functions/test/support/dashboard';
import { startDashboard } from './embedded';

interface Kept {
  readonly id: string;
  readonly request: unknown;
  readonly events: TracedEvent[];
  readonly stop: AbortController;
  readonly readers: Set<(event: TracedEvent) => void>;
}

/** The dashboard with the routes of runs, played by the real engine with the demo models, in real time. */
export async function startWithRuns(options: AppOptions = {}) {
  const clock = systemClock;
  const app = await startDashboard({ clock, provider: createDemoProvider(clock), ...options });
  const runs = new Map<string, Kept>();
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/dashboard/runs') && !req.url.endsWith('/plan')) void handle(req, res);
    else app.server.emit('request', req, res);
  });
  const begin = async (body: Record<string, unknown>): Promise<Kept | { text: string }> => {
    const { account } = app.container;
    const stop = new AbortController();
    const id = newId(clock);
    const startedAtMs = clock.nowMs();
    const admitted = await openPlaygroundRun(account, {
      id,
      userId: LOCAL_USER,
      startedAtMs,
      fields: playgroundSchema.parse(body),
      clientGone: stop.signal,
      trace: traceRequest(account.log, { requestId: id, method: 'POST', path: '/', headers: {} }),
    });
    if (isRefusal(admitted)) return admitted;
    const kept: Kept = { id, request: body, events: [], stop, readers: new Set() };
    runs.set(id, kept);
    const recorder = createTraceRecorder(clock, startedAtMs, (event) => {
      kept.events.push(event);
      for (const reader of kept.readers) reader(event);
    });
    const sink = { live: true, text: () => undefined, status: () => {} };
    void run(admitted, sink, recorder.observe).finally(() => recorder.end());
    return kept;
  };
  const stream = (kept: Kept, after: number, res: ServerResponse, drops: number | undefined): void => {
    res.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': kept.id });
    let sent = 0;
    const give = (event: TracedEvent): void => {
      if (event.seq <= after) return;
      res.write(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`);
      sent += 1;
      if (event.type === 'end') res.end();
      if (sent === drops) res.destroy();
    };
    for (const event of kept.events) give(event);
    kept.readers.add(give);
    res.on('close', () => kept.readers.delete(give));
  };
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const json = (status: number, body: unknown): void => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (req.method === 'POST' && req.url === '/dashboard/runs') {
      const text = (await Array.fromAsync(req)).join('');
      const kept = await begin(JSON.parse(text));
      if ('text' in kept) return json(400, { error: { message: kept.text, type: 'invalid_request_error' } });
      return stream(kept, -1, res, undefined);
    }
    const [, id = '', what] = /^\/dashboard\/runs\/([^/]+)(?:\/(\w+))?/.exec(req.url ?? '') ?? [];
    const kept = runs.get(id);
    if (!kept) return json(404, { error: { message: 'Unknown run', type: 'not_found' } });
    if (what === 'stop') {
      kept.stop.abort();
      return json(200, { id, state: 'stopped' });
    }
    if (what === 'events') return stream(kept, Number(req.headers['last-event-id'] ?? -1), res, undefined);
    json(200, { id, state: 'running', request: kept.request, events: kept.events });
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    app,
    runs,
    drop: () => server.closeAllConnections(),
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await app.close();
    },
  };
}
