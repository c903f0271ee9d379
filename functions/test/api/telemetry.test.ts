import { ModelFault } from '../../src/models/model-fault';
import { type App, CHAT_PATH, EVALUATIONS_PATH, startApp } from '../support/app';
import { sendRaw } from '../support/raw-http';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const TRACED = { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` };
const SECRET_WORDS = 'The secret of the tomato';

/** The lines of the log, and only those with this message. */
function linesOf(app: App, message?: string): Record<string, unknown>[] {
  const lines = app.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return message === undefined ? lines : lines.filter((line) => line['message'] === message);
}

describe('what operators see of a request', () => {
  it('one line for the request and one for each model call, all with its trace, none with its words', async () => {
    await using app = await startApp();
    app.logLines.length = 0;
    const messages = [{ role: 'user', content: SECRET_WORDS }];
    const body = { model: 'demo-ada', messages, ai_ensemble: { models: ['demo-blaise', 'demo-curie'] } };
    const { headers } = await app.post(CHAT_PATH, body, TRACED);
    const lines = linesOf(app);
    const calls = ['draft', 'draft', 'answer'].map((purpose) => ({
      message: 'model call',
      'ensemble.purpose': purpose,
    }));
    const ids = { traceId: TRACE_ID, requestId: headers.get('x-request-id') };
    expect(lines).toMatchObject([...calls, { message: 'request' }].map((line) => ({ ...line, ...ids })));
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

it('a caller without a key gets five lines a minute for each status, and one that counts the rest', async () => {
  await using app = await startApp();
  const flood = async (path: string, count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent += 1) await sendRaw(app.baseUrl, { method: 'GET', path });
  };
  await flood('/nothing', 40);
  await flood('/v1/models', 30);
  // Those with a key have a line each.
  for (let sent = 0; sent < 12; sent += 1) await app.get('/v1/models');
  const statuses = linesOf(app, 'request').map(({ status }) => status);
  expect(statuses).toEqual([404, 404, 404, 404, 404, 401, 401, 401, 401, 401, ...Array<number>(12).fill(200)]);
  await app.clock.advance(60_000);
  const counted = linesOf(app, 'requests not logged one by one').map(({ status, requests }) => [status, requests]);
  expect(counted).toEqual([
    [404, 35],
    [401, 25],
  ]);
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
    const said = { endpoint: 'evaluations', model: 'gpt-4o, gpt-4o-mini', strategy: 'speed_pair' };
    expect(linesOf(app, 'request')[0]).toMatchObject(said);
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
    await app.post(CHAT_PATH, { model: 'gpt-4o', messages: [] }, TRACED);
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
    const reply = await app.post(CHAT_PATH, { ...body, ai_ensemble: { models: ['gpt-4o-mini', 'o3'] } }, TRACED);
    await reply.text();
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
