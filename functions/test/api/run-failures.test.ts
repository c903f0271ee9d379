import type { ProviderCall } from '../../src/models/model';
import { ModelFault, type ModelFaultKind } from '../../src/models/model-fault';
import { errorBody, naming, UNAUTHORIZED } from '../support/api-errors';
import { bearer, RUN_ENDPOINTS, startApp } from '../support/app';
import { during } from '../support/during';
import { failing, PLAIN, type Script, UPSTREAM_WORDS } from '../support/scripted-models';
import { until } from '../support/until';
import { readStream } from '../support/wire';

/** Models that fail by id, the others speak plainly. */
function failingModels(kinds: Readonly<Record<string, ModelFaultKind>>): Script {
  return (call) => {
    const kind = kinds[call.providerModel];
    return kind === undefined ? PLAIN(call) : failing(kind);
  };
}

interface Failure {
  readonly rule: string;
  readonly request: Record<string, unknown>;
  readonly script: Script;
  readonly message: string;
  /** The same of a stream, and the part of the answer that its reader has seen by then. */
  readonly streamed?: string;
  readonly seen?: string;
}
const cutOff = (call: ProviderCall) => (call.purpose === 'answer' ? failing('network', 'Botanically ') : PLAIN(call));
const PANEL = { models: ['claude-x', 'gpt-y'] };

const FAILED: readonly Failure[] = [
  {
    rule: 'all participants failing names models and causes',
    request: { ai_ensemble: PANEL },
    script: failingModels({ 'claude-x': 'overloaded', 'gpt-y': 'timeout' }),
    message: 'All participant models failed: claude-x (overloaded), gpt-y (timeout)',
  },
  {
    rule: 'causes of several words are words',
    request: { ai_ensemble: { models: [...PANEL.models, 'gemini-z'] } },
    script: failingModels({ 'claude-x': 'rate_limited', 'gpt-y': 'context_length', 'gemini-z': 'unauthorized' }),
    message: 'All participant models failed: claude-x (rate limited), gpt-y (context length), gemini-z (unauthorized)',
  },
  {
    rule: 'a single model failing names it and the cause',
    request: { model: 'gpt-y' },
    script: failingModels({ 'gpt-y': 'server' }),
    message: 'The model failed: gpt-y (server)',
  },
  {
    rule: 'nobody being able to write the answer names everybody tried',
    request: { ai_ensemble: { models: ['demo-blaise'] } },
    script: (call) => (call.purpose === 'answer' ? failing('network') : PLAIN(call)),
    message: 'No model could write the answer: Demo Ada (network), Demo Blaise (network)',
  },
  {
    rule: 'an answer cut off in the middle is a failure, never half an answer',
    request: { model: 'gpt-y' },
    script: cutOff,
    message: 'The model failed: gpt-y (network)',
    streamed: 'The answer was cut off: gpt-y (network)',
    seen: 'Botanically ',
  },
  {
    rule: 'nobody goes on in the place of an arbiter whose text was seen',
    request: { ai_ensemble: { models: ['demo-blaise'] } },
    script: cutOff,
    message: 'No model could write the answer: Demo Ada (network), Demo Blaise (network)',
    streamed: 'The answer was cut off: Demo Ada (network)',
    seen: 'Botanically ',
  },
];

/** Requests that every model refuses for good. */
const FOR_GOOD: readonly Failure[] = [
  {
    rule: 'an answer refused by a content filter',
    request: { model: 'gpt-y' },
    script: () => ({ text: '', finishReason: 'content_filter' }),
    message: 'The model failed: gpt-y (content filter)',
  },
  {
    rule: 'a request that its provider refuses',
    request: { model: 'gpt-y' },
    script: () => failing('bad_request'),
    message: 'The model failed: gpt-y (bad request)',
  },
  {
    rule: 'a model that its provider does not know',
    request: { model: 'gpt-4p' },
    script: () => failing('not_found'),
    message: 'The model failed: gpt-4p (not found); GET /v1/models lists what this server serves',
  },
  {
    rule: 'a prompt that is too long for a window that nobody knows',
    request: { model: 'gpt-y' },
    script: () => failing('context_length'),
    message:
      'The model failed: gpt-y (context length); please reduce the length of the messages (context_length_exceeded)',
  },
  {
    rule: 'an output limit used up by thoughts, which is named',
    request: { model: 'gpt-y' },
    script: () => ({ text: '', finishReason: 'length', usage: { promptTokens: 100, completionTokens: 8_192 } }),
    message: 'The model failed: gpt-y (output limit of 8192 tokens used up)',
  },
  {
    rule: 'a prompt that is too long for all of a panel, or unknown to it',
    request: { ai_ensemble: PANEL },
    script: failingModels({ 'claude-x': 'context_length', 'gpt-y': 'not_found' }),
    message: 'All participant models failed: claude-x (context length), gpt-y (not found)',
  },
  {
    rule: 'an answer that nobody is allowed to write',
    request: { ai_ensemble: { models: ['demo-blaise'] } },
    script: (call) => (call.purpose === 'answer' ? failing('content_filter') : PLAIN(call)),
    message: 'No model could write the answer: Demo Ada (content filter), Demo Blaise (content filter)',
  },
];
const ROWS = [
  ...FAILED.map((row) => ({ ...row, status: 500, type: 'api_error' })),
  ...FOR_GOOD.map((row) => ({ ...row, status: 400, type: 'invalid_request_error' })),
];

describe.each(RUN_ENDPOINTS)('POST $path: a run that fails', ({ path, body: smallest, send, answerOf }) => {
  const app = during('all', startApp);
  beforeEach(async () => {
    app.models.reset();
    await app.clock.advance(60_000);
  });

  it.each(ROWS)('$status, not to be retried, nothing of upstream: $rule', async (row) => {
    app.models.play(row.script);
    const { status, headers, body, text } = await send(app, row.request);
    expect({ status, body }).toEqual({ status: row.status, body: errorBody(row.message, row.type) });
    expect(headers.get('x-should-retry')).toBe('false');
    expect(text).not.toContain('UPSTREAM');
  });

  const isHeld = ({ request, seen }: Failure): boolean => !request['ai_ensemble'] && seen === undefined;

  it.each(ROWS.filter(isHeld))(
    '$status of a stream that has not begun, in one piece as without one: $rule',
    async (row) => {
      app.models.play(row.script);
      const { status, headers, body } = await send(app, { ...row.request, stream: true });
      expect({ status, body }).toEqual({ status: row.status, body: errorBody(row.message, row.type) });
      expect(headers.get('x-should-retry')).toBe('false');
    },
  );

  it.each(FAILED.filter((row) => !isHeld(row)))(
    'a stream ends with a StreamError and no [DONE]: $rule',
    async (row) => {
      const { request, script, message, streamed = message, seen = '' } = row;
      app.models.play(script);
      const response = await app.post(path, { ...smallest, ...request, stream: true });
      const { chunks, done, raw } = await readStream(response);
      expect([response.status, chunks.at(-1), done]).toStrictEqual([200, { error: streamed }, false]);
      const answers = chunks.slice(0, -1);
      expect(answers.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(seen);
      expect(answers.filter(({ choices }) => choices[0]?.finish_reason)).toEqual([]);
      expect(raw).not.toContain('UPSTREAM');
    },
  );

  it.each([
    { rule: 'an invalid body', fields: { model: '' }, key: undefined, status: 400, expected: naming('model') },
    { rule: 'a wrong key', fields: {}, key: 'sk-ens_wrong', status: 401, expected: UNAUTHORIZED },
  ])('a refusal is JSON with its own status, never a stream: $rule', async ({ fields, key, status, expected }) => {
    const reply = await send(app, { ...fields, stream: true }, key);
    expect({ status: reply.status, body: reply.body }).toEqual({ status, body: expected });
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it.each([true, false])('a client that leaves (stream: %s) aborts every call, and is recorded', async (stream) => {
    app.models.play((call) => ({ ...PLAIN(call), delayMs: 60_000 }));
    const client = new AbortController();
    const response = fetch(app.baseUrl + path, {
      method: 'POST',
      headers: { ...bearer(app.key), 'content-type': 'application/json' },
      body: JSON.stringify({ ...smallest, stream, ai_ensemble: { models: ['demo-blaise', 'demo-curie'] } }),
      signal: client.signal,
    });
    const read = response.then((reply) => reply.text());
    await until(() => app.models.calls.length === 2);
    const recorded = async () => (await app.container.store.readMonths('alice', ['2026-01']))[0]?.requests ?? 0;
    const before = await recorded();
    client.abort();
    await expect(read).rejects.toThrow();
    await until(() => app.models.calls.every(({ signal }) => signal.aborted));
    await until(async () => (await recorded()) === before + 1);
    expect(app.models.calls).toHaveLength(2);
  });

  it('keys and upstream texts stay out of the log’s causes too', async () => {
    app.models.play(() => failing('server'));
    await send(app);
    expect(app.logLines.join('\n')).toContain('request failed');
    expect(app.logLines.join('\n')).not.toContain('sk-upstream-0123456789abcdef');
  });

  it.each(['analyse', 'answer'] as const)(
    'an arbiter that finds the texts too long for its %s is asked once more, with shorter ones (200)',
    async (purpose) => {
      const draft = `First. ${'A berry it is. '.repeat(1_500)} Last.`;
      app.models.play((call) => {
        const isFirst = app.models.calls.filter((made) => made.purpose === purpose).length === 1;
        if (call.purpose === purpose && isFirst) return failing('context_length');
        return call.purpose === 'draft' ? { text: draft } : PLAIN(call);
      });
      const { status, body } = await send(app, {
        model: 'claude-x',
        ai_ensemble: { models: ['demo-curie', 'demo-blaise'], includeReasoning: true },
      });
      expect(status).toBe(200);
      expect(answerOf(body)).toBe('Botanically it is a berry.');
      const asked = app.models.calls.filter((made) => made.purpose === purpose);
      expect(asked.map(({ providerModel }) => providerModel)).toEqual(['claude-x', 'claude-x']);
      const [whole = '', shorter = ''] = asked.map(({ prompt }) => prompt.turns.at(-1)?.text);
      expect([whole.includes(draft), shorter.includes('characters in all, the middle left out')]).toEqual([true, true]);
      expect(shorter.length).toBeLessThan(0.6 * whole.length);
      expect(body.degraded).toEqual(['claude-x was shown shortened texts: its context window holds no more']);
    },
  );

  it('an arbiter cut off in the middle is replaced likewise, and its half an answer is nowhere (200)', async () => {
    app.models.play((call) =>
      call.providerModel === 'claude-x' ? failing('network', 'Botanically spea') : PLAIN(call),
    );
    const { status, body } = await send(app, { model: 'claude-x', ai_ensemble: { models: ['demo-curie'] } });
    expect(status).toBe(200);
    expect(answerOf(body)).toBe('Botanically it is a berry.');
    expect(body.degraded).toEqual(['claude-x (network) failed to write the answer; Demo Curie stepped in']);
  });
});

describe.each(RUN_ENDPOINTS)('POST $path: limits of providers', ({ send }) => {
  it.each([
    { waits: [600.2], told: [429, '601', 'false'] },
    { waits: [900, 600, undefined], told: [500, '600', 'false'] },
    { waits: [undefined, undefined], told: [500, null, 'false'] },
    { waits: [undefined], told: [429, '5', 'true'] },
  ])('limits of $waits seconds that end a run are told: $told', async ({ waits, told }) => {
    const models = waits.map((_, index) => `gpt-${index}`);
    const script: Script = ({ providerModel }) => {
      const retryAfterSeconds = waits[models.indexOf(providerModel)];
      return { text: '', usage: null, fault: new ModelFault('rate_limited', { retryAfterSeconds }) };
    };
    await using app = await startApp({ script });
    const { status, headers } = await send(app, { model: models[0], ai_ensemble: { models } });
    expect([status, headers.get('retry-after'), headers.get('x-should-retry')]).toEqual(told);
  });
});

describe.each(RUN_ENDPOINTS)('POST $path: a provider that breaks in its own way', ({ send }) => {
  it('is reported without its words', async () => {
    await using app = await startApp({
      provider: { run: () => Promise.reject(new Error(UPSTREAM_WORDS)) },
    });
    const reply = send(app, { model: 'gpt-y' });
    // The retry waits 250 ms.
    await until(() => app.clock.pending > 0);
    for (let waitedMs = 0; waitedMs < 1_000; waitedMs += 50) await app.clock.advance(50);
    const { status, body } = await reply;
    expect({ status, body }).toEqual({
      status: 500,
      body: errorBody('The model failed: gpt-y (protocol)', 'api_error'),
    });
  });
});
