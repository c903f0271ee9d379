import { INTERNAL } from '../support/api-errors';
import { answer, EVALUATIONS_PATH, judges, QUESTION, RUN_ENDPOINTS, startApp } from '../support/app';
import { readStream } from '../support/wire';
import { WIRES, wireEvents } from '../support/wires';

const PANEL = { models: ['demo-blaise', 'demo-curie'] };

const broken = (): never => {
  throw new Error('disk full at /var/secret');
};

describe.each(RUN_ENDPOINTS)('POST $path: a failing store', ({ path, body: smallest, send, answerOf }) => {
  it.each([
    { rule: 'before any model is called the 500 may be retried', method: 'admit', shouldRetry: null, calls: 0 },
    { rule: 'after paid calls began it must not be', method: 'checkpoint', shouldRetry: 'false', calls: 2 },
  ] as const)('$rule', async ({ method, shouldRetry, calls }) => {
    await using app = await startApp({ wrapStore: (store) => ({ ...store, [method]: async () => broken() }) });
    const reply = await send(app, { ai_ensemble: PANEL });
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 500, body: INTERNAL });
    expect(reply.headers.get('x-should-retry')).toBe(shouldRetry);
    expect(reply.calls).toHaveLength(calls);
  });

  it('in the middle of a stream is a StreamError without its words', async () => {
    await using app = await startApp({ wrapStore: (store) => ({ ...store, checkpoint: async () => broken() }) });
    const response = await app.post(path, { ...smallest, stream: true, ai_ensemble: PANEL });
    const { chunks, done } = await readStream(response);
    expect([chunks.at(-1), done]).toStrictEqual([{ error: 'Internal server error' }, false]);
  });

  it('a ledger that cannot be settled does not cost the caller the answer (200)', async () => {
    await using app = await startApp({ wrapStore: (store) => ({ ...store, settle: async () => broken() }) });
    const { status, body } = await send(app);
    expect(status).toBe(200);
    expect(answerOf(body)).toBe('Botanically it is a berry.');
  });
});

describe.each(WIRES)('POST $path: a failing store', ({ path, prompt, errorOf, streamed }) => {
  it('is an error of the protocol, in one piece and as the end of a stream', async () => {
    await using app = await startApp({ wrapStore: (store) => ({ ...store, checkpoint: async () => broken() }) });
    const ask = (stream: boolean) => app.post(path, { model: 'demo-ada', ...prompt(), stream, ai_ensemble: PANEL });
    const reply = await ask(false);
    expect([reply.status, errorOf(await reply.json())?.message]).toEqual([500, 'Internal server error']);
    const { isWhole, error } = streamed(wireEvents(await (await ask(true)).text()));
    expect([isWhole, error]).toEqual([false, 'Internal server error']);
  });
});

describe('an ensemble with tools: a failing store', () => {
  const said = [{ role: 'user', content: QUESTION }];
  const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
  const returned = [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'A berry.' },
  ];

  it.each([
    { rule: 'what was advised cannot be kept', method: 'keepTurn', messages: said },
    { rule: 'what was advised cannot be read', method: 'findTurn', messages: [...said, ...returned] },
    {
      rule: 'nor what was in the turn before',
      method: 'findTurn',
      messages: [...said, { role: 'assistant', content: 'A berry.' }, ...said],
    },
  ] as const)('$rule: it is advised all the same', async ({ method, messages }) => {
    await using app = await startApp({ wrapStore: (store) => ({ ...store, [method]: async () => broken() }) });
    const tools = [{ type: 'function', function: { name: 'look' } }];
    const { status, calls } = await app.complete({ messages, tools, ai_ensemble: PANEL });
    expect([status, calls.map(({ purpose }) => purpose)]).toEqual([200, ['advise', 'advise', 'answer']]);
  });
});

describe('POST /v1/evaluations: a failing store', () => {
  it.each([
    { rule: 'before any judge is called the 500 may be retried', method: 'admit', shouldRetry: null, calls: 0 },
    { rule: 'after judges were called it must not be', method: 'checkpoint', shouldRetry: 'false', calls: 16 },
  ] as const)('$rule', async ({ method, shouldRetry, calls }) => {
    await using app = await startApp({ wrapStore: (store) => ({ ...store, [method]: async () => broken() }) });
    // Sixteen calls are in the reservation, those of two providers at once; the others would be listed one by one.
    const judge_models = judges(...Array(10).fill('gpt-4o'), ...Array(10).fill('claude-sonnet-5'));
    const asked = { prompt: QUESTION, responses: [answer('a', 'Yes.')], judge_models };
    const reply = await app.send<unknown>(EVALUATIONS_PATH, asked);
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 500, body: INTERNAL });
    expect(reply.headers.get('x-should-retry')).toBe(shouldRetry);
    expect(reply.calls.length).toBeLessThanOrEqual(calls);
    expect(reply.calls.length > 0).toBe(calls > 0);
  });
});
