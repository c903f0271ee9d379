import { naming, UNAUTHORIZED } from '../support/api-errors';
import { type App, RUN_ENDPOINTS, startApp } from '../support/app';
import { failing, PLAIN, type Script } from '../support/scripted-models';
import { readStream } from '../support/wire';

const PANEL = { models: ['claude-x', 'gpt-y'] };

/** Ends of streams that cannot be finished, and the part of the answer that their reader has seen by then. */
const FAILURES: readonly {
  rule: string;
  fields: Record<string, unknown>;
  script: Script;
  error: string;
  seen: string;
}[] = [
  {
    rule: 'the model fails',
    fields: { model: 'gpt-y' },
    script: () => failing('unauthorized'),
    error: 'The model failed: gpt-y (unauthorized)',
    seen: '',
  },
  {
    rule: 'all participants fail',
    fields: { ai_ensemble: PANEL },
    script: () => failing('overloaded'),
    error: 'All participant models failed: claude-x (overloaded), gpt-y (overloaded)',
    seen: '',
  },
  {
    rule: 'the answer breaks off after its first text',
    fields: { model: 'gpt-y' },
    script: () => failing('network', 'Botanically it is '),
    error: 'The answer was cut off: gpt-y (network)',
    seen: 'Botanically it is ',
  },
  {
    rule: 'the arbiter breaks off after its first text: nobody goes on in its place',
    fields: { model: 'demo-ada', ai_ensemble: PANEL },
    script: (call) => (call.purpose === 'answer' ? failing('network', 'Botanically ') : PLAIN(call)),
    error: 'The answer was cut off: Demo Ada (network)',
    seen: 'Botanically ',
  },
];

describe.each(RUN_ENDPOINTS)('POST $path: a stream that fails', ({ path, body: request, send }) => {
  const open = (to: App, fields: object): Promise<Response> => to.post(path, { ...request, stream: true, ...fields });
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  it.each(FAILURES)('ends with a StreamError and no [DONE]: $rule', async ({ fields, script, error, seen }) => {
    app.models.play(script);
    const response = await open(app, fields);
    const { chunks, done, raw } = await readStream(response);
    expect(response.status).toBe(200);
    expect(chunks.at(-1)).toStrictEqual({ error });
    expect(done).toBe(false);
    const answers = chunks.slice(0, -1);
    expect(answers.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(seen);
    expect(answers.filter(({ choices }) => choices[0]?.finish_reason)).toEqual([]);
    expect(raw).not.toContain('UPSTREAM');
  });

  it.each([
    { rule: 'an invalid body', fields: { model: '' }, key: undefined, status: 400, expected: naming('model') },
    {
      rule: 'a wrong key',
      fields: {},
      key: 'sk-ens_wrong',
      status: 401,
      expected: UNAUTHORIZED,
    },
  ])('a refusal is JSON with its own status, never a stream: $rule', async ({ fields, key, status, expected }) => {
    const reply = await send(app, { ...fields, stream: true }, key);
    expect({ status: reply.status, body: reply.body }).toEqual({ status, body: expected });
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('a store that fails in the middle of a stream is a StreamError without its words', async () => {
    await using broken = await startApp({
      wrapStore: (store) => ({ ...store, checkpoint: () => Promise.reject(new Error('disk full')) }),
    });
    const { chunks, done } = await readStream(await open(broken, { ai_ensemble: PANEL }));
    expect(chunks.at(-1)).toStrictEqual({ error: 'Internal server error' });
    expect(done).toBe(false);
  });
});
