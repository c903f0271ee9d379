import { getEventListeners, once } from 'node:events';
import { connect } from 'node:net';
import { fakeClock } from '../../test/support/fake-clock';
import { type RawRequest, sendRaw } from '../../test/support/raw-http';
import { serve } from '../../test/support/serve';
import { until } from '../../test/support/until';
import { Fault, refuse } from '../errors';
import type { Caller, Guard } from '../guard/guard';
import { ByteBudget } from '../lib/byte-budget';
import { createLog } from '../lib/log';
import { OpenWork } from '../lib/open-work';
import { Turns } from '../lib/turns';
import { createApp } from './app';
import { createBodyReader } from './body-bytes';
import type { Reply } from './reply';
import type { ApiRequest, Route } from './route';
import { createRouteTable } from './route-table';

const ADA: Caller = { userId: 'ada', keyId: 'key-1', keyName: 'laptop' };
const PATH = '/v1/things';
const GET: RawRequest = { method: 'GET', path: PATH };
const POST: RawRequest = { method: 'POST', path: PATH, body: '{"n":1}' };

interface Scene {
  handle?: (request: ApiRequest) => Promise<Reply>;
  identify?: Guard['identify'];
  origins?: string[];
}

/** The app with one path that can be read and posted to, a guard that lets Ada in, and time that stands still. */
async function startScene({ handle, identify, origins = ['*'] }: Scene = {}) {
  const clock = fakeClock();
  const lines: Record<string, unknown>[] = [];
  const log = createLog('debug', (line) => lines.push(JSON.parse(line)));
  const openWork = new OpenWork();
  const requests: ApiRequest[] = [];
  const identified: unknown[][] = [];
  const counted: string[] = [];
  const guard: Guard = {
    identify: async (authorization, limited) => {
      identified.push([authorization, limited]);
      return identify ? identify(authorization, limited) : ADA;
    },
    count: ({ userId }) => void counted.push(userId),
    admit: () => Promise.reject(new Error('no run is admitted')),
    forget: () => undefined,
  };
  const route = (method: Route['method'], limited: boolean): Route => ({
    method,
    path: PATH,
    endpoint: 'usage',
    limited,
    handle: async (request) => {
      requests.push(request);
      return handle ? handle(request) : { body: { ok: true } };
    },
  });
  const bodies = createBodyReader(new ByteBudget(64 * 2 ** 20), clock, new Turns(clock, () => 0));
  const routes = [route('GET', false), route('POST', true)];
  const app = createApp({
    findRoute: createRouteTable(routes),
    guard,
    clock,
    log,
    bodies,
    openWork,
    corsOrigins: origins,
  });
  const served = await serve(app);
  const send = async (request: RawRequest = GET) => {
    const reply = await sendRaw(served.baseUrl, request);
    return { ...reply, body: reply.text === '' ? undefined : JSON.parse(reply.text) };
  };
  return { ...served, clock, lines, openWork, requests, identified, counted, send };
}

const error = (message: unknown, type = 'invalid_request_error') => ({ error: { message, type } });

describe('a request', () => {
  it('reaches its endpoint with its caller, and nothing of HTTP but what it needs', async () => {
    let body: unknown;
    const scene = await startScene({
      handle: async (request) => {
        body = await request.readJson();
        return { body: { ok: true }, headers: { 'x-left': '7' } };
      },
    });
    await scene.clock.advance(5);
    const headers = { authorization: 'Bearer key', 'idempotency-key': 'once' };
    const reply = await scene.send({ ...POST, path: `${PATH}/?a=b`, headers });
    expect(reply).toMatchObject({ status: 200, body: { ok: true }, headers: { 'x-left': '7' } });
    expect(scene.identified).toEqual([['Bearer key', true]]);
    const [request] = scene.requests;
    expect(request).toMatchObject({
      startedAtMs: scene.clock.nowMs(),
      caller: ADA,
      endpoint: 'usage',
      idempotencyKey: 'once',
      trace: { where: { requestId: request?.id } },
    });
    expect([request?.query.get('a'), body]).toEqual(['b', { n: 1 }]);
    expect(request?.id).toMatch(/^[0-9a-f]{32}$/);
    expect(reply.headers['x-request-id']).toBe(request?.id);
  });

  it('is one line in the log, with its caller, its status and how long it took', async () => {
    const scene = await startScene({
      handle: async () => {
        await scene.clock.advance(30);
        return { body: {} };
      },
    });
    const { headers } = await scene.send({ ...GET, path: `${PATH}?secret=1` });
    await until(() => scene.lines.length > 0);
    expect(scene.lines).toEqual([
      {
        severity: 'INFO',
        message: 'request',
        requestId: headers['x-request-id'],
        method: 'GET',
        path: PATH,
        status: 200,
        durationMs: 30,
        userId: 'ada',
        keyId: 'key-1',
        endpoint: 'usage',
      },
    ]);
  });

  it('of nobody is told in the log five times a minute for each status', async () => {
    const scene = await startScene();
    for (let count = 0; count < 7; count += 1) await scene.send({ method: 'GET', path: '/nothing' });
    await scene.send({ method: 'PUT', path: PATH });
    await until(() => scene.lines.length >= 6);
    expect(scene.lines.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 405]);
  });

  it('is work under way from its head to the end of its reply', async () => {
    const gate = Promise.withResolvers<Reply>();
    const scene = await startScene({ handle: () => gate.promise });
    const reply = scene.send();
    await until(() => scene.requests.length === 1);
    expect(scene.openWork.count).toBe(1);
    gate.resolve({ body: {} });
    await reply;
    await until(() => scene.openWork.count === 0);
  });
});

describe('the route of a request', () => {
  it.each(['/v2', '/v1/things//', '/v1/thing', '//v1/things', '/v1/things/x'])('is unknown: %s', async (path) => {
    const scene = await startScene();
    const { status, body } = await scene.send({ method: 'GET', path });
    expect({ status, body }).toEqual({ status: 404, body: error(`Unknown route: GET ${path}`) });
    expect(scene.identified).toEqual([]);
  });

  it('is found in a whole URL, and what is none at all is the path //, which no route has', async () => {
    const scene = await startScene();
    expect((await scene.send({ method: 'GET', path: `http://elsewhere.test${PATH}` })).status).toBe(200);
    const { body } = await scene.send({ method: 'GET', path: 'http://' });
    expect(body).toEqual(error('Unknown route: GET //'));
  });

  it('is named with 200 characters at most', async () => {
    const scene = await startScene();
    const { body } = await scene.send({ method: 'GET', path: `/${'x'.repeat(300)}` });
    expect(body).toEqual(error(`Unknown route: GET /${'x'.repeat(199)}`));
  });

  it('tells which methods it has, before any key is looked at', async () => {
    const scene = await startScene();
    const { status, headers, body } = await scene.send({ method: 'DELETE', path: PATH });
    expect({ status, allow: headers['allow'], body }).toEqual({
      status: 405,
      allow: 'GET, POST',
      body: error('Method not allowed: use GET, POST'),
    });
    expect(scene.identified).toEqual([]);
  });

  it('is looked for after the framing of the request', async () => {
    const scene = await startScene();
    const headers = { 'transfer-encoding': 'gzip, chunked' };
    const { status } = await scene.send({ method: 'POST', path: '/nothing', headers, body: 'x' });
    expect(status).toBe(501);
  });
});

describe('the caller of a request', () => {
  it('is refused by the guard, and the endpoint is not asked', async () => {
    const scene = await startScene({ identify: async () => refuse('unauthorized') });
    const { status, body } = await scene.send();
    expect({ status, body }).toEqual({ status: 401, body: error('Unauthorized: Invalid API key') });
    expect([scene.identified, scene.requests, scene.counted]).toEqual([[[undefined, false]], [], []]);
  });

  it('may be limited to other endpoints: refused with 403, which is counted', async () => {
    const limited: Caller = { ...ADA, limits: { endpoints: ['models'] } };
    const scene = await startScene({ identify: async () => limited });
    const { status, body } = await scene.send(POST);
    expect({ status, body }).toEqual({
      status: 403,
      body: error('This API key may not use the endpoint usage', 'permission_error'),
    });
    expect([scene.requests, scene.counted]).toEqual([[], ['ada']]);
  });

  it.each<[string, Reply, number]>([
    ['an answer', { body: {} }, 0],
    ['a refusal for its own fault', refuse('invalid_request', 'Invalid'), 1],
    ['a refusal by the limit, which took a slot', refuse('rate_limited'), 0],
    ['a fault of ours', refuse('internal'), 0],
    ['no memory', refuse('busy'), 0],
  ])('has a post counted once or not at all: %s', async (_, reply, times) => {
    const scene = await startScene({ handle: async () => reply });
    await scene.send(POST);
    expect(scene.counted).toHaveLength(times);
  });

  it('has every read counted, whatever becomes of it', async () => {
    for (const reply of [refuse('invalid_request', 'Invalid'), { body: {} }]) {
      const scene = await startScene({ handle: async () => reply });
      await scene.send(GET);
      expect(scene.counted).toEqual(['ada']);
    }
  });
});

describe('a fault', () => {
  it('is told in its own words where it has some, and in the log with its request', async () => {
    const scene = await startScene({
      handle: () => Promise.reject(new Fault('models_failed', 'No model answered')),
    });
    const { status, headers, body } = await scene.send();
    expect({ status, body }).toEqual({ status: 500, body: error('No model answered', 'api_error') });
    await until(() => scene.lines.length === 2);
    expect(scene.lines).toMatchObject([
      { severity: 'ERROR', message: 'request failed', requestId: headers['x-request-id'] },
      { message: 'request', status: 500 },
    ]);
  });

  it('that was not foreseen is internal, and its words stay here', async () => {
    const scene = await startScene({ handle: () => Promise.reject(new Error('the disk is full')) });
    const { status, body } = await scene.send();
    expect({ status, body }).toEqual({ status: 500, body: error('Internal server error', 'api_error') });
    await until(() => scene.lines.length === 2);
    expect(scene.lines[0]).toMatchObject({ cause: 'Error: the disk is full' });
  });
});

describe('a client that leaves', () => {
  const leave = (port: number) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return socket;
  };

  it('is told to its endpoint, and is 499 in the log, whatever breaks then', async () => {
    const scene = await startScene({
      handle: async ({ clientGone }) => {
        if (!clientGone.aborted) await once(clientGone, 'abort');
        throw new Error('nobody is there');
      },
    });
    const socket = leave(scene.port);
    await until(() => scene.requests.length === 1);
    socket.destroy();
    await until(() => scene.lines.length > 0);
    expect(scene.lines).toEqual([expect.objectContaining({ message: 'request', status: 499 })]);
    await until(() => scene.openWork.count === 0);
  });

  it('while its key is looked up is not begun with', async () => {
    const gate = Promise.withResolvers<Caller>();
    const scene = await startScene({ identify: () => gate.promise });
    const accepted = once(scene.server, 'connection');
    const socket = leave(scene.port);
    const [connection] = await accepted;
    await until(() => scene.identified.length === 1);
    const closed = once(connection, 'close');
    socket.destroy();
    await closed;
    gate.resolve(ADA);
    await until(() => scene.lines.length > 0);
    expect(scene.lines).toEqual([expect.objectContaining({ message: 'request', status: 499 })]);
    expect([scene.requests, scene.counted]).toEqual([[], []]);
  });

  it('is no client that has read its reply', async () => {
    const scene = await startScene();
    await scene.send();
    await until(() => scene.openWork.count === 0);
    expect(scene.requests[0]?.clientGone.aborted).toBe(false);
  });
});

describe('a process that is to end', () => {
  const restarting = { status: 503, body: error('The server is restarting', 'api_error') };

  it('begins nothing new and closes its connections', async () => {
    const scene = await startScene();
    void scene.openWork.stop();
    const { status, headers, body } = await scene.send();
    expect({ status, body }).toEqual(restarting);
    expect([headers['connection'], headers['retry-after']]).toEqual(['close', '1']);
    expect(scene.identified).toEqual([]);
  });

  it('closes no connection before', async () => {
    const scene = await startScene();
    const { headers } = await scene.send({ ...GET, headers: { connection: 'keep-alive' } });
    expect(headers['connection']).toBe('keep-alive');
  });

  it('does not wait for bodies', async () => {
    const scene = await startScene({
      handle: async ({ readJson }) => ({ body: { read: await readJson() } as object }),
    });
    const socket = connect(scene.port, '127.0.0.1');
    socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"n":`);
    const heard = once(socket, 'data');
    await until(() => scene.requests.length === 1 && getEventListeners(scene.openWork.stopping, 'abort').length > 0);
    void scene.openWork.stop();
    const [reply] = await heard;
    expect(String(reply)).toContain('The server is restarting');
    expect(String(reply).toLowerCase()).toContain('connection: close');
    socket.destroy();
  });

  it('is not listened to by bodies that were read', async () => {
    let body: unknown;
    const scene = await startScene({
      handle: async ({ readJson }) => {
        body = await readJson();
        return { body: {} };
      },
    });
    await scene.send(POST);
    expect(body).toEqual({ n: 1 });
    expect(getEventListeners(scene.openWork.stopping, 'abort')).toEqual([]);
  });
});

describe('a preflight', () => {
  it('is answered before anything is asked of it, from the origins that are allowed', async () => {
    const scene = await startScene({ origins: ['https://chat.example.test'] });
    const { status, headers } = await scene.send({
      method: 'OPTIONS',
      path: '/nothing',
      headers: { origin: 'https://chat.example.test' },
    });
    expect([status, headers['access-control-allow-origin']]).toEqual([204, 'https://chat.example.test']);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    expect([scene.identified, scene.requests]).toEqual([[], []]);
  });
});
