import { ADA, error, GET, PATH, POST, startScene } from '../../test/support/app-scene';
import { until } from '../../test/support/until';
import type { Caller } from '../access/guard';
import { Fault, refuse, storeUnavailable } from '../errors';
import type { Reply } from './reply';

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
  it.each(['/v2', '/v1/things//', '/v1/thing', '/v1/things/x'])('is unknown: %s', async (path) => {
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

  it.each<Reply>([refuse('invalid_request', 'Invalid'), { body: {} }])('has every read counted: %j', async (reply) => {
    const scene = await startScene({ handle: async () => reply });
    await scene.send(GET);
    expect(scene.counted).toEqual(['ada']);
  });
});

describe('a fault', () => {
  it.each<[string, Error, number, object, string | undefined]>([
    [
      'has its own words',
      new Fault('models_failed', 'No model answered'),
      500,
      error('No model answered', 'api_error'),
      undefined,
    ],
    ['says when to ask again', storeUnavailable(new Error('locked')), 503, error(expect.any(String), 'api_error'), '5'],
    [
      'keeps its words where it was not foreseen',
      new Error('the disk is full'),
      500,
      error('Internal server error', 'api_error'),
      undefined,
    ],
  ])('%s, and is in the log with its request', async (_, fault, expected, expectedBody, retryAfter) => {
    const scene = await startScene({ handle: () => Promise.reject(fault) });
    const { status, headers, body } = await scene.send();
    expect([status, body, headers['retry-after']]).toEqual([expected, expectedBody, retryAfter]);
    await until(() => scene.lines.length === 2);
    expect(scene.lines).toMatchObject([
      {
        severity: 'ERROR',
        message: 'request failed',
        requestId: headers['x-request-id'],
        cause: expect.stringContaining(fault.message),
      },
      { message: 'request', status },
    ]);
  });
});
