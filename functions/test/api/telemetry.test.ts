import { ModelFault } from '../../src/models/model-fault';
import { type App, CHAT_PATH, EVALUATIONS_PATH, startApp } from '../support/app';
import { sendRaw } from '../support/raw-http';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SECRET_WORDS = 'The secret of the tomato';

describe('what operators see of a request', () => {
  it('one line for the request and one for each model call, all with its trace, none with its words', async () => {
    await using app = await startApp();
    app.logLines.length = 0;
    const response = await app.post(
      CHAT_PATH,
      {
        model: 'demo-ada',
        messages: [{ role: 'user', content: SECRET_WORDS }],
        ai_ensemble: { models: ['demo-blaise', 'demo-curie'] },
      },
      { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` },
    );
    expect(response.status).toBe(200);
    const lines = app.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ message }) => message)).toEqual(['model call', 'model call', 'model call', 'request']);
    expect(lines.map((line) => line['traceId'])).toEqual([TRACE_ID, TRACE_ID, TRACE_ID, TRACE_ID]);
    const requestId = response.headers.get('x-request-id');
    expect(lines.map((line) => line['requestId'])).toEqual([requestId, requestId, requestId, requestId]);
    expect(lines.slice(0, 3).map((line) => line['ensemble.purpose'])).toEqual(['draft', 'draft', 'answer']);
    const all = app.logLines.join('\n');
    for (const words of [SECRET_WORDS, 'A first draft', 'Botanically']) expect(all).not.toContain(words);
    expect(all).not.toContain(app.key);
  });

  it('regression: a key pasted into a path or a model’s name is not logged', async () => {
    await using app = await startApp();
    await app.read(`/v1/${app.key}`);
    await app.complete({ model: app.key });
    expect(app.logLines.length).toBeGreaterThan(2);
    expect(app.logLines.join('\n')).not.toContain(app.key);
  });
});

/** The lines of the log, and only those with this message. */
function linesOf(app: App, message?: string): Record<string, unknown>[] {
  const lines = app.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return message === undefined ? lines : lines.filter((line) => line['message'] === message);
}

describe('what a caller without a key can make of the log', () => {
  it('a path of 15,000 characters is logged with 200 of them', async () => {
    await using app = await startApp();
    await sendRaw(app.baseUrl, { method: 'GET', path: `/${'a'.repeat(15_000)}` });
    expect(app.logLines.join('').length).toBeLessThan(1_000);
    expect(linesOf(app, 'request')[0]?.['path']).toBe(`/${'a'.repeat(199)}`);
  });

  it('five lines a minute for each status, and one that counts the rest', async () => {
    await using app = await startApp();
    const flood = async (path: string, count: number): Promise<void> => {
      for (let sent = 0; sent < count; sent += 1) await sendRaw(app.baseUrl, { method: 'GET', path });
    };
    await flood('/nothing', 40);
    await flood('/v1/models', 30);
    const statuses = () => linesOf(app, 'request').map(({ status }) => status);
    expect(statuses()).toEqual([404, 404, 404, 404, 404, 401, 401, 401, 401, 401]);
    await app.clock.advance(60_000);
    expect(linesOf(app, 'requests not logged one by one')).toEqual([
      { severity: 'INFO', message: 'requests not logged one by one', status: 404, requests: 35 },
      { severity: 'INFO', message: 'requests not logged one by one', status: 401, requests: 25 },
    ]);
    await flood('/nothing', 1);
    expect(statuses()).toHaveLength(11);
  });

  it('nothing that hides a request with a key: each has its line', async () => {
    await using app = await startApp();
    for (let sent = 0; sent < 12; sent += 1) await app.get('/v1/models');
    expect(linesOf(app, 'request')).toHaveLength(12);
  });
});

describe('the line of a request', () => {
  it('says who asked, what for, and what it came to', async () => {
    await using app = await startApp();
    const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Why?' }], stream: true };
    const ensemble = { models: ['gpt-4o', 'gpt-4o-mini'], strategy: 'expert_panel' };
    const response = await app.post(CHAT_PATH, { ...body, ai_ensemble: ensemble });
    const usage = /"usage":(\{.*?\})/.exec(await response.text())?.[1] ?? '{}';
    const { prompt_tokens, completion_tokens } = JSON.parse(usage);
    const record = await app.container.store.findRecord(response.headers.get('x-request-id') ?? '');
    const costNanoUsd = record?.calls.reduce((sum, call) => sum + call.costNanoUsd, 0);
    expect(prompt_tokens).toBeGreaterThan(0);
    expect(linesOf(app, 'request')).toEqual([
      expect.objectContaining({
        status: 200,
        userId: 'alice',
        keyId: record?.keyId,
        endpoint: 'chat.completions',
        model: 'gpt-4o',
        strategy: 'expert_panel',
        promptTokens: prompt_tokens,
        completionTokens: completion_tokens,
        costNanoUsd,
        firstTextMs: 0,
      }),
    ]);
  });

  it('names the judges of an evaluation, and says how many refused requests were asked for', async () => {
    await using app = await startApp();
    const judge = (id: string) => ({ id, name: id });
    await app.post(EVALUATIONS_PATH, {
      prompt: 'Why?',
      responses: [{ modelId: 'a', modelName: 'A', response: 'Because.' }],
      judge_models: [judge('gpt-4o'), judge('gpt-4o-mini')],
      strategy: 'speed_pair',
    });
    expect(linesOf(app, 'request')[0]).toMatchObject({
      endpoint: 'evaluations',
      model: 'gpt-4o, gpt-4o-mini',
      strategy: 'speed_pair',
    });
  });
});

describe('a fault of ours', () => {
  /** The store fails from the moment it is told to. */
  async function failing() {
    let fails = false;
    const app = await startApp({
      wrapStore: (store) =>
        new Proxy(store, {
          get: (target, name) => {
            const work = Reflect.get(target, name);
            if (!fails || typeof work !== 'function' || name === 'close') return work;
            return () => Promise.reject(new TypeError('disk on fire, sk-ens_0123456789abcdef0123'));
          },
        }),
    });
    return { app, fail: () => (fails = true) };
  }

  it('is one line, with its stack, its trace and no key', async () => {
    const { app, fail } = await failing();
    fail();
    await app.post(CHAT_PATH, { model: 'gpt-4o', messages: [] }, { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` });
    const [line, ...more] = linesOf(app).filter(({ severity }) => severity === 'ERROR');
    expect(more).toEqual([]);
    expect(line).toMatchObject({ message: 'request failed', traceId: TRACE_ID });
    expect(line?.['stack_trace']).toMatch(/^TypeError: disk on fire, \[redacted\]\n {4}at .+\n {4}at /);
    await app.close();
  });

  it.each([true, false])('in the middle of a run is one line, streamed: %s', async (stream) => {
    const { app, fail } = await failing();
    app.models.play(() => {
      fail();
      return { text: 'A draft.' };
    });
    const body = { model: 'gpt-4o', stream, messages: [{ role: 'user', content: 'Why?' }] };
    const traceparent = `00-${TRACE_ID}-b7ad6b7169203331-01`;
    await (
      await app.post(CHAT_PATH, { ...body, ai_ensemble: { models: ['gpt-4o-mini', 'o3'] } }, { traceparent })
    ).text();
    const errors = linesOf(app).filter(({ severity }) => severity === 'ERROR');
    expect(errors.map(({ message }) => message).toSorted()).toEqual(['request failed', 'settle failed']);
    for (const line of errors) {
      expect(line).toMatchObject({ traceId: TRACE_ID, stack_trace: expect.stringContaining('disk on fire') });
    }
    await app.close();
  });

  it('is not what models do: a run that they failed has a line without a stack', async () => {
    await using app = await startApp({ script: () => ({ text: '', fault: new ModelFault('bad_request') }) });
    await app.complete({ model: 'gpt-4o' });
    const [line, ...more] = linesOf(app, 'request failed');
    expect(more).toEqual([]);
    expect(line?.['stack_trace']).toBeUndefined();
  });
});
