import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import { ModelFault } from '../../src/models/model-fault';
import { answer, CHAT_PATH, EVALUATIONS_PATH, judges, RESPONSES_PATH, sharedApp } from '../support/app';
import { ROLE_KEYS } from '../support/judges';
import { demoScript, PLAIN } from '../support/scripted-models';
import { readStream } from '../support/wire';
import { type Description, descriptionChecks, type Json } from './openapi-document';

/** `GET /v1/openapi.json` against the started service: what it says of requests and replies is so. */

const ADDRESS = '/v1/openapi.json';
const FUNCTIONS = join(__dirname, '..', '..');

const app = sharedApp();
let description: Description;
let flaws: ReturnType<typeof descriptionChecks>;
beforeAll(async () => {
  description = (await (await fetch(app.baseUrl + ADDRESS)).json()) as Description;
  flaws = descriptionChecks(description);
});

const isMethod = (key: string): boolean => ['get', 'post', 'put', 'patch', 'delete'].includes(key);

/** Schema of a reply of that path, status and kind. */
function described(path: string, status = 200, kind = 'application/json'): Json {
  const [operation] = Object.entries(description.paths[path] ?? {}).flatMap(([key, value]) =>
    isMethod(key) ? [value] : [],
  );
  const response = operation?.responses[String(status)] as Json | undefined;
  const held = response?.['$ref'] ? resolved(String(response['$ref'])) : response;
  const { schema } = (held?.['content'] as Record<string, { schema: Json }>)?.[kind] ?? {};
  if (!schema) throw new Error(`${path} ${status} ${kind} is not described`);
  return schema;
}

function resolved(pointer: string): Json {
  const steps = pointer.split('/').slice(1);
  return steps.reduce((value: unknown, step) => (value as Json)[step], description) as Json;
}

describe('GET /v1/openapi.json', () => {
  it('needs no key, is kept by its client, and is not sent again to who has it', async () => {
    const reply = await fetch(app.baseUrl + ADDRESS);
    const etag = reply.headers.get('etag') ?? '';
    const sent = Object.fromEntries(reply.headers);
    expect(sent).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    });
    const again = await fetch(app.baseUrl + ADDRESS, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('a linter finds nothing wrong with it', () => {
    const input = JSON.stringify(description);
    const { status, stderr } = spawnSync(process.execPath, ['test/api/lint-openapi.mjs'], {
      cwd: FUNCTIONS,
      encoding: 'utf8',
      input,
    });
    expect([stderr, status]).toEqual(['', 0]);
  });

  it('tells of every route of the service and of no other', () => {
    const told = Object.entries(description.paths).flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter(isMethod)
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = app.container.routes.map(({ method, path }) => `${method} ${path}`);
    // Nobody signs in on this server, so nobody can sign out. The second name of the health check is for those who know it.
    const known = [...told, 'GET /healthz'];
    expect(known.sort()).toEqual([...served, 'POST /dashboard/sign-out-everywhere'].sort());
  });

  it('every example of a request fits its schema, and is answered as described', async () => {
    app.models.play(demoScript);
    let examples = 0;
    for (const [path, { post }] of Object.entries(description.paths)) {
      // Those of the dashboard have a test of their own.
      if (path.startsWith('/dashboard/')) continue;
      const content = post?.requestBody?.content['application/json'];
      for (const [name, { value }] of Object.entries(content?.examples ?? {})) {
        examples += 1;
        expect([name, flaws(content?.schema ?? {}, value)]).toEqual([name, '']);
        await app.clock.advance(60_000);
        const response = await app.post(path, value);
        expect([name, response.status]).toEqual([name, 200]);
        if (value['stream']) await expectStream(path, response);
        else expect([name, flaws(described(path), await response.json())]).toEqual([name, '']);
      }
    }
    expect(examples).toBeGreaterThan(8);
  });
});

const replyOf = async (response: Response) => ({ status: response.status, body: await response.json() });

async function expectStream(path: string, response: Response): Promise<void> {
  const text = await response.text();
  const isNamed = text.startsWith('event: ');
  const { chunks, done } = await readStream(new Response(text.replaceAll(/^event: .*\n/gm, '')));
  const schema = described(path, 200, 'text/event-stream');
  for (const chunk of chunks)
    expect([JSON.stringify(chunk), flaws(schema, chunk)]).toEqual([JSON.stringify(chunk), '']);
  if (!isNamed) expect(chunks.some(({ error }) => error !== undefined)).toBe(!done);
}

describe('tools of a request are described as they are validated', () => {
  const tool = { type: 'function', function: { name: 'weather', parameters: { type: 'object' }, strict: true } };
  const named = { type: 'function', function: { name: 'weather' } };

  it.each<[fits: boolean, fields: Json]>([
    [true, { tools: [tool], tool_choice: named, parallel_tool_calls: false }],
    [true, { tools: [named], tool_choice: 'required' }],
    [false, { tools: tool }],
    [false, { tools: [{ type: 'web_search' }] }],
    [false, { tools: [{ type: 'function', function: { name: 'no spaces' } }] }],
    [false, { tools: Array.from({ length: 129 }, (_, at) => ({ ...tool, function: { name: `tool-${at}` } })) }],
    [false, { tools: [tool], tool_choice: 'any' }],
    [false, { tools: [tool], parallel_tool_calls: 'no' }],
  ])('%s: %j', async (fits, fields) => {
    const body = { model: 'demo-ada', messages: [{ role: 'user', content: 'Is it warm?' }], ...fields };
    const { status } = await app.post(CHAT_PATH, body);
    const said = flaws({ $ref: '#/components/schemas/ChatCompletionRequest' }, body);
    expect([said === '', status]).toEqual(fits ? [true, 200] : [false, 400]);
  });
});

describe('replies are as described', () => {
  const everything = {
    includeTrace: true,
    models: ['demo-ada', { id: 'demo-blaise', label: 'second' }],
    rounds: 2,
    includeReasoning: true,
    includeCandidates: true,
    includeFollowUpPrompts: true,
  };
  const form = { name: 'facts', schema: { type: 'object', properties: { berry: { type: 'boolean' } } } };

  it.each(STRATEGY_NAMES)('%s, with all that can be asked for, in one piece and streamed', async (strategy) => {
    const ai_ensemble = { ...everything, strategy };
    app.models.play(demoScript);
    const completion = await app.complete({ ai_ensemble });
    const response = await app.respond({ ai_ensemble });
    expect(completion.body.choices[0].candidates).not.toHaveLength(0);
    expect(flaws(described(CHAT_PATH), completion.body)).toBe('');
    expect(flaws(described(RESPONSES_PATH), response.body)).toBe('');
    await app.clock.advance(60_000);
    await expectStream(CHAT_PATH, await app.chat({ ai_ensemble, stream: true }));
  });

  it('plans, structured answers with agreement, and details of usage', async () => {
    app.models.play((call) => ({
      ...PLAIN(call),
      ...((call.purpose === 'answer' || call.purpose === 'draft') && { text: '{"berry": true}' }),
      usage: { promptTokens: 9, completionTokens: 5, cachedPromptTokens: 4, reasoningTokens: 2 },
    }));
    const options = { ai_ensemble: { ...everything, rounds: 1 } };
    const bodies = [
      { ...options, response_format: { type: 'json_schema', json_schema: form } },
      { ai_ensemble: { ...everything, models: ['unknown-model', 'demo-ada'], dryRun: true, maxCostUsd: 0.5 } },
    ];
    for (const body of bodies) {
      const reply = await app.complete(body);
      expect([reply.status, flaws(described(CHAT_PATH), reply.body)]).toEqual([200, '']);
      await app.clock.advance(60_000);
      await expectStream(CHAT_PATH, await app.chat({ ...body, stream: true }));
    }
    const { body } = await app.complete(bodies[0]);
    expect(body.choices[0].agreement).toEqual({ '/berry': 1 });
    expect(body.usage).toHaveProperty('completion_tokens_details');
  });

  it('a failed run, in one piece and as the end of a stream, and one that was less than asked for', async () => {
    app.models.play(() => ({ text: 'Half', fault: new ModelFault('unauthorized') }));
    const failed = await app.complete();
    expect([failed.status, flaws(described(CHAT_PATH, 500), failed.body)]).toEqual([500, '']);
    await app.clock.advance(60_000);
    await expectStream(CHAT_PATH, await app.chat({ stream: true }));
    app.models.play((call) =>
      call.providerModel === 'demo-blaise' ? { text: '', fault: new ModelFault('bad_request') } : PLAIN(call),
    );
    const odd = { stop: 'x', models: [], ai_ensemble: { ...everything, strategy: 'debate' } };
    const degraded = await app.complete({ ai_ensemble: everything });
    const ignored = await app.respond(odd);
    expect([ignored.status, flaws(described(RESPONSES_PATH), ignored.body)]).toEqual([200, '']);
    expect(ignored.body).toHaveProperty('ignored');
    await app.clock.advance(60_000);
    await expectStream(CHAT_PATH, await app.chat({ ...odd, stream: true }));
    expect(degraded.body.degraded).not.toBeUndefined();
    expect(flaws(described(CHAT_PATH), degraded.body)).toBe('');
  });

  it('evaluations: every role, several judges or none that delivers', async () => {
    const responses = [answer('a', 'Yes.'), ...Object.keys(ROLE_KEYS).map((role) => answer(role, 'No.', role))];
    for (const script of [PLAIN, () => ({ text: 'no verdict' })]) {
      app.models.play(script);
      const reply = await app.evaluate({ responses, judge_models: judges('j-1', 'j-2'), weighted: true });
      expect([reply.status, flaws(described(EVALUATIONS_PATH), reply.body)]).toEqual([200, '']);
    }
  });

  it('usage, with and without any; models; one model; home; health', async () => {
    app.models.play(PLAIN);
    await app.complete();
    const nobody = await app.user('nobody', 'pro');
    const asked: [string, string, string?][] = [
      ['/v1/usage', '/v1/usage'],
      ['/v1/usage', '/v1/usage?start_date=2026-01-01', nobody],
      ['/v1/models', '/v1/models'],
      ['/v1/models/{id}', '/v1/models/ensemble'],
      ['/', '/'],
      ['/health', '/health?deep=1'],
    ];
    for (const [path, address, key] of asked) {
      const reply = await app.read(address, key);
      expect([address, reply.status, flaws(described(path), reply.body)]).toEqual([address, 200, '']);
    }
  });

  it.each([
    [401, '/v1/usage', () => app.read('/v1/usage', 'wrong')],
    [404, '/v1/models/{id}', () => app.read('/v1/models/nothing')],
    [403, CHAT_PATH, async () => app.complete({}, await app.user('free'))],
    [401, '/openai/v1/models', () => app.read('/openai/v1/models', 'wrong')],
    [404, '/openai/v1/models/{id}', () => app.read('/openai/v1/models/nothing')],
    [401, '/anthropic/v1/models', () => app.read('/anthropic/v1/models', 'wrong')],
    [404, '/anthropic/v1/models/{id}', () => app.read('/anthropic/v1/models/nothing')],
    [401, '/mcp', async () => replyOf(await app.post('/mcp', {}, { authorization: 'Bearer wrong' }))],
    [400, '/mcp', async () => replyOf(await app.post('/mcp', { jsonrpc: '2.0', id: 1 }))],
    [200, '/mcp', async () => replyOf(await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'toString' }))],
  ] as const)('a %i of %s', async (status, path, ask) => {
    const reply = await ask();
    expect([reply.status, flaws(described(path, status), reply.body)]).toEqual([status, '']);
  });

  it('errors of every form as in their examples', () => {
    const examples = Object.entries(description.components.responses).map(([name, { content }]) => {
      const { schema = {}, example } = content?.['application/json'] ?? {};
      return [name, flaws(schema, example)];
    });
    expect(examples).toEqual(examples.map(([name]) => [name, '']));
    expect(examples.length).toBeGreaterThan(30);
  });
});

describe('the check itself', () => {
  it('finds fields that are missing, wrong, or not described', async () => {
    const body = (await app.complete()).body as unknown as Json;
    const schema = described(CHAT_PATH);
    const { usage: _, ...incomplete } = body;
    expect(flaws(schema, incomplete)).toContain("must have required property 'usage'");
    expect(flaws(schema, { ...body, created: 'today' })).toContain('created must be integer');
    expect(flaws(schema, { ...body, choices: [] })).not.toBe('');
    expect(flaws(schema, { ...body, surprise: 1 })).toContain('must NOT have additional properties');
  });
});
