import { Client, type ClientOptions, type Progress, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { estimateTokens } from '../../src/models/estimate-tokens';
import { type App, QUESTION, sharedApp, startApp, watchSettlement } from '../support/app';
import { failing, PLAIN } from '../support/scripted-models';
import { until } from '../support/until';
import type { WireUsage } from '../support/wire';

/** The official client against the running service, by its older handshake and by the newer protocol without one. */

const ASK = { name: 'ask', arguments: { question: QUESTION } };
const ANSWER = 'Botanically it is a berry.';
const MODES = ['legacy', 'auto'] as const;
const SLOTS = 'x-ratelimit-remaining-requests';

interface Texts {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

async function connect({ baseUrl, key }: App, options: { mode?: 'legacy' | 'auto'; key?: string } = {}) {
  const client = new Client({ name: 'test', version: '1' }, {
    versionNegotiation: { mode: options.mode ?? 'legacy' },
  } as ClientOptions);
  const headers = { authorization: `Bearer ${options.key ?? key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }));
  return client;
}

/** The texts of a tool's result; those of an error begin with `isError`. */
async function textsOf(result: Promise<unknown>): Promise<string[]> {
  const { content, isError } = (await result) as Texts;
  return [...(isError ? ['isError'] : []), ...content.map(({ text }) => text)];
}

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });

describe.each(MODES)('the official client, protocol %s', (mode) => {
  const app = sharedApp();

  it('is told of three tools, in few words', async () => {
    const client = await connect(app, { mode });
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(['ask', 'plan', 'evaluate']);
    expect(estimateTokens(JSON.stringify(listed))).toBeLessThanOrEqual(1_500);
    expect(client.getInstructions()).toContain('`ask`');
  });

  it('asks, with progress and the price', async () => {
    const client = await connect(app, { mode });
    const told: Progress[] = [];
    const asked = client.callTool(ASK, { onprogress: (progress) => told.push(progress) });
    expect(await textsOf(asked)).toEqual([
      ANSWER,
      'Agreement: All 3 final answers are the same.\nThis call cost $0.000002 for 4 model calls.',
    ]);
    expect(told.map(({ progress }) => progress)).toEqual([1, 2, 3, 4, 5]);
    expect(told.at(-1)?.message).toBe('Demo Ada is writing the answer');
  });

  it('plans the same and calls nothing', async () => {
    const client = await connect(app, { mode });
    const [sentence, calls] = await textsOf(client.callTool({ ...ASK, name: 'plan' }));
    expect(sentence).toMatch(/^Nothing was called\. This request makes at most 4 calls in 2 waves, costs about \$/);
    expect(calls).toBe('Calls: demo-ada 2, demo-blaise 1, demo-curie 1.');
    expect(app.models.calls).toEqual([]);
  });

  it('has responses scored, the best first', async () => {
    const client = await connect(app, { mode });
    const told: Progress[] = [];
    const fields = { prompt: QUESTION, responses: ['No.', 'Yes.'] };
    const evaluated = client.callTool(
      { name: 'evaluate', arguments: fields },
      { onprogress: (progress) => told.push(progress) },
    );
    const [scores, cost] = await textsOf(evaluated);
    expect(scores).toMatch(/^Response 1: 7 of 10 \(3 of 3 judges\)\. .+\n\nResponse 2: 7 of 10 \(3 of 3 judges\)\. /);
    expect(cost).toBe('This call cost $0.0000015 for 3 model calls.');
    expect(told.at(-1)).toMatchObject({ progress: 6, message: expect.stringContaining('has scored response') });
  });
});

describe('a call of a tool', () => {
  const app = sharedApp();

  it('plays the strategy that is asked for, with the context before the question', async () => {
    const client = await connect(app);
    const fields = { question: QUESTION, context: 'CONTEXT', strategy: 'debate_tournament' };
    await client.callTool({ name: 'ask', arguments: fields });
    const [first] = app.models.calls;
    expect(JSON.stringify(first?.prompt)).toContain(`CONTEXT\\n\\n${QUESTION}`);
    const lines = app.logLines.map((line) => JSON.parse(line));
    expect(lines.findLast(({ strategy }) => strategy)).toMatchObject({ strategy: 'debate_tournament' });
  });

  it.each([
    ['a blank question', 'ask', { question: ' ' }, 'question: must not be blank'],
    ['an unknown strategy', 'ask', { question: QUESTION, strategy: 'vote' }, 'strategy: Invalid option'],
    ['a price of nothing', 'ask', { question: QUESTION, maxCostUsd: 0 }, 'maxCostUsd: '],
    ['no question', 'plan', {}, 'question: '],
    ['no response', 'evaluate', { prompt: QUESTION, responses: [] }, 'responses: '],
    ['too many responses', 'evaluate', { prompt: QUESTION, responses: Array(11).fill('a') }, 'responses: '],
    ['thousands of them', 'evaluate', { prompt: QUESTION, responses: Array(9_000).fill(1) }, 'maximum of 100 elements'],
  ])('with wrong arguments is told which, in few words: %s', async (_, name, fields, words) => {
    const client = await connect(app);
    const [error, text = ''] = await textsOf(client.callTool({ name, arguments: fields }));
    expect([error, app.models.calls]).toEqual(['isError', []]);
    expect(text).toContain(words);
    expect(text.length).toBeLessThan(500);
  });

  it('never costs more than it may', async () => {
    const client = await connect(app);
    const capped = (maxCostUsd: number) => ({ ...ASK, arguments: { ...ASK.arguments, maxCostUsd } });
    expect(await textsOf(client.callTool(capped(1e-9)))).toEqual([
      'isError',
      expect.stringMatching(/^Invalid maxCostUsd: one answer alone costs at least \$/),
    ]);
    expect(app.models.calls).toEqual([]);
    const [, notes] = await textsOf(client.callTool(capped(0.001)));
    expect(notes).toMatch(/Less than was asked for: .+\nThis call cost \$0\.0000/);
  });

  it('whose models fail says which', async () => {
    app.models.play(() => failing('overloaded'));
    const client = await connect(app);
    const [error, text = ''] = await textsOf(client.callTool(ASK));
    expect([error, text]).toEqual(['isError', expect.stringContaining('demo-ada')]);
    expect(text).not.toContain('UPSTREAM');
  });

  it('that breaks says nothing of what is behind it', async () => {
    const admit = () => Promise.reject(new Error('SECRET'));
    await using broken = await startApp({ wrapStore: (store) => ({ ...store, admit }) });
    const client = await connect(broken);
    expect(await textsOf(client.callTool(ASK))).toEqual(['isError', 'Internal server error']);
    expect(broken.logLines.join()).toContain('SECRET');
  });

  it('of one that no tool has is a protocol error', async () => {
    const client = await connect(app);
    await expect(client.callTool({ name: '__proto__' })).rejects.toThrow('Tool __proto__');
  });

  it('repeats no long token of its client', async () => {
    const post = async (progressToken: unknown) => {
      const call = message('tools/call', { ...ASK, _meta: { progressToken } });
      return (await app.post('/mcp', call)).text();
    };
    expect(await post('t'.repeat(200))).toContain('notifications/progress');
    expect(await post(0)).toContain('"progressToken":0');
    const silent = await post('t'.repeat(201));
    expect(silent).not.toContain('tt');
    expect(silent).toContain(ANSWER);
  });

  it('tells two clients at once each their own', async () => {
    app.models.play((call) => ({ ...PLAIN(call), text: JSON.stringify(call.prompt).match(/Q\d/)?.[0] ?? '' }));
    const clients = await Promise.all(['Q1', 'Q2'].map(() => connect(app)));
    const told: (string | undefined)[][] = [[], []];
    const answers = clients.map((client, at) =>
      textsOf(
        client.callTool(
          { name: 'ask', arguments: { question: `What is Q${at + 1}?` } },
          { onprogress: ({ message }) => told[at]?.push(message) },
        ),
      ),
    );
    expect((await Promise.all(answers)).map(([text]) => text)).toEqual(['Q1', 'Q2']);
    expect(told.map(({ length }) => length)).toEqual([5, 5]);
  });
});

describe('limits', () => {
  it('an ask takes a rate slot and a record; all else takes neither', async () => {
    await using app = await startApp();
    const client = await connect(app);
    await client.listTools();
    await client.callTool({ ...ASK, name: 'plan' });
    await client.callTool(ASK);
    expect((await app.chat()).headers.get(SLOTS)).toBe('28');
    const { body } = await app.read<WireUsage>('/v1/usage');
    expect(body.data.reduce((sum, { n_requests: count }) => sum + count, 0)).toBe(2);
  });

  it('a 429 and a 403 of a run are results that its model reads', async () => {
    await using app = await startApp();
    const limited = await app.newKey('alice', 'slow', { requestsPerMinute: 1 });
    const client = await connect(app, { key: limited });
    await client.callTool(ASK);
    expect(await textsOf(client.callTool(ASK))).toEqual([
      'isError',
      expect.stringMatching(/^Rate limit exceeded \(try again in \d+ seconds\)$/),
    ]);
    const barred = await connect(app, { key: await app.newKey('alice', 'one', { models: ['demo-ada'] }) });
    expect(await textsOf(barred.callTool(ASK))).toEqual(['isError', 'This API key may not use the model demo-blaise']);
  });

  it('a key of other endpoints, or none, gets no further', async () => {
    await using app = await startApp();
    const other = await app.newKey('alice', 'chat', { endpoints: ['chat.completions'] });
    await expect(connect(app, { key: other })).rejects.toThrow('may not use the endpoint mcp');
    expect((await fetch(`${app.baseUrl}/mcp`, { method: 'POST' })).status).toBe(401);
    const only = await app.newKey('alice', 'mcp', { endpoints: ['mcp'] });
    expect((await textsOf((await connect(app, { key: only })).callTool(ASK)))[0]).toBe(ANSWER);
  });

  it('a client that leaves stops its run', async () => {
    const { settled, wrapStore } = watchSettlement();
    await using app = await startApp({ wrapStore, script: () => ({ text: 'a ', endless: true }) });
    const leaving = new AbortController();
    const call = fetch(`${app.baseUrl}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.key}` },
      body: JSON.stringify(message('tools/call', ASK)),
      signal: leaving.signal,
    });
    await until(() => app.models.calls.length === 3);
    leaving.abort();
    await call.then((response) => response.text()).catch(() => undefined);
    expect(await settled).toMatchObject({ outcome: 'stopped' });
  });

  it('a silent run tells again what it is at, before its client loses patience', async () => {
    await using app = await startApp({ script: (call) => ({ ...PLAIN(call), delayMs: 35_000 }) });
    const client = await connect(app);
    const told: Progress[] = [];
    const asked = textsOf(client.callTool(ASK, { onprogress: (progress) => told.push(progress) }));
    await until(() => app.models.calls.length === 3 && told.length === 1);
    await app.clock.advance(10_000);
    await until(() => told.length === 2);
    expect(told[1]).toEqual({ ...told[0], progress: 2 });
    await app.clock.advance(25_000);
    await until(() => app.models.calls.length === 4);
    await app.clock.advance(35_000);
    expect((await asked)[0]).toBe(ANSWER);
  });
});

describe('messages by hand', () => {
  const app = sharedApp();
  const post = async (body: unknown, headers = {}) => {
    const response = await app.post('/mcp', body, headers);
    const text = await response.text();
    return { status: response.status, type: response.headers.get('content-type'), text };
  };

  it('are answered as JSON without the headers that the protocol wants', async () => {
    const { status, type, text } = await post(message('tools/list'));
    expect([status, type]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: 1, result: { tools: expect.any(Array) } });
  });

  it('that are notifications get a 202 without a body', async () => {
    const notified = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(notified).toEqual({ status: 202, type: null, text: '' });
  });

  it.each([
    ['no JSON', '{', 400, -32_600],
    ['deep JSON', `${'['.repeat(100)}${']'.repeat(100)}`, 400, -32_600],
    ['null', 'null', 400, -32_600],
    ['another protocol', { jsonrpc: '1.0', id: 1, method: 'tools/list' }, 400, -32_600],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32_600],
    ['an id that is none', { jsonrpc: '2.0', id: {}, method: 'ping' }, 400, -32_600],
    ['a batch', [message('ping'), message('ping')], 400, -32_600],
    ['a huge batch', Array(20_000).fill(message('ping')), 400, -32_600],
    ['an unknown method', message('toString'), 200, -32_601],
    ['a subscription without an envelope', message('subscriptions/listen'), 200, -32_601],
    ['a call without a name', message('tools/call'), 200, -32_602],
  ])('that are %s are a JSON-RPC error', async (_, body, status, code) => {
    const reply = await post(body);
    const json = reply.text.startsWith('data:') ? reply.text.slice('data: '.length) : reply.text;
    expect(JSON.parse(json)).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) } });
    expect(reply.status).toBe(status);
    expect(app.models.calls).toEqual([]);
  });

  it('of the newer protocol cannot hold a stream of nothing open', async () => {
    const version = '2026-07-28';
    const meta = { protocolVersion: version, clientCapabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const named = Object.entries(meta).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]);
    const params = { _meta: Object.fromEntries(named), notifications: { toolsListChanged: true } };
    const headers = { 'mcp-protocol-version': version, 'mcp-method': 'subscriptions/listen' };
    const { text } = await post(message('subscriptions/listen', params), headers);
    expect(JSON.parse(text)).toMatchObject({ id: 1, error: { message: 'Subscription limit reached' } });
  });

  it('of an unknown version are told the known ones', async () => {
    const { status, text } = await post(message('tools/list'), { 'mcp-protocol-version': '1999-01-01' });
    expect([status, text]).toEqual([400, expect.stringContaining('2025-11-25')]);
  });

  it.each(['GET', 'DELETE'])('%s is no method of an endpoint without sessions', async (method) => {
    const response = await fetch(`${app.baseUrl}/mcp`, { method, headers: { authorization: `Bearer ${app.key}` } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
