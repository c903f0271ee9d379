import { failing, PLAIN } from '../support/recorded-models';
import { RESPONSE, RESPONSES_PATH, type SpecApp, startSpecApp } from '../support/spec-app';
import { INTERNAL } from '../support/spec-errors';
import { readStream, type WireStream } from '../support/sse';
import { until } from '../support/until';
import type { WireUsage } from '../support/wire-usage';

const NOW_MS = Date.UTC(2026, 0, 15, 12, 0);
const PANEL = { models: ['demo-blaise', 'demo-curie'] };
const EVERYTHING = {
  reasoning: { effort: 'high' },
  ai_ensemble: { ...PANEL, rounds: 2, includeCandidates: true, includeFollowUpPrompts: true },
};

describe('POST /v1/responses: the stream', () => {
  let app: SpecApp;
  beforeEach(async () => {
    app = await startSpecApp();
  });
  afterEach(() => app.close());

  const open = (fields: object = {}): Promise<Response> =>
    app.post(RESPONSES_PATH, { ...RESPONSE, stream: true, ...fields });
  const streamed = async (fields?: object): Promise<WireStream> => readStream(await open(fields));

  it('is made of chat completion chunks under the response’s id, and ends with [DONE]', async () => {
    const { chunks, done, raw } = await streamed();
    const head = {
      id: `resp_${NOW_MS}`,
      object: 'chat.completion.chunk',
      created: NOW_MS / 1000,
      model: 'demo-ada',
    };
    expect(chunks.map(({ id, object, created, model }) => ({ id, object, created, model }))).toEqual(
      chunks.map(() => head),
    );
    expect(chunks[0]?.choices).toEqual([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]);
    expect(chunks.at(-1)).toStrictEqual({ ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    expect(done).toBe(true);
    expect(raw.endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
  });

  it('has no event of the Responses protocol: no types, no event names', async () => {
    const { chunks, raw } = await streamed(EVERYTHING);
    expect(chunks.filter((chunk) => 'type' in chunk)).toEqual([]);
    expect(raw).not.toMatch(/^event:/m);
    expect(raw).not.toContain('response.');
  });

  it.each([
    { rule: 'a single model', fields: {} },
    { rule: 'an ensemble with everything', fields: EVERYTHING },
    { rule: 'a virtual id', fields: { model: 'ensemble' } },
  ])('is the stream of chat, byte for byte but for the id: $rule', async ({ fields }) => {
    const { raw } = await streamed(fields);
    await using other = await startSpecApp();
    const chat = await readStream(await other.chat({ stream: true, ...fields }));
    expect(raw).toBe(chat.raw.replaceAll('"id":"chatcmpl-', '"id":"resp_'));
    expect(raw).not.toBe(chat.raw);
  });

  it.each([
    { rule: 'a single model', fields: {} },
    { rule: 'an ensemble with everything', fields: EVERYTHING },
  ])('says the same as the JSON reply: $rule', async ({ fields }) => {
    const { body } = await app.respond(fields);
    const { content, chunks } = await streamed(fields);
    const [choice] = chunks.at(-1)?.choices ?? [];
    expect(content).toBe(body.output[0].content[0].text);
    expect(choice?.explanation).toBe(body.explanation);
    expect(choice?.followUpPrompts).toEqual(body.followUpPrompts);
    const texts = chunks.find(({ candidates }) => candidates)?.candidates?.map(({ text }) => text);
    expect(texts).toEqual(body.candidates?.map(({ response }) => response));
    expect(chunks.find(({ usage }) => usage)?.usage).toMatchObject(body.usage);
  });

  it('has the headers of an event stream, the request id and the rate limit', async () => {
    const { headers, status } = await open();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('29');
  });

  it.each([
    {
      rule: 'the model fails',
      fields: { model: 'gpt-y' },
      text: '',
      error: 'The model failed: gpt-y (unauthorized)',
    },
    {
      rule: 'all participants fail',
      fields: { ai_ensemble: { models: ['claude-x', 'gpt-y'] } },
      text: '',
      error: 'All participant models failed: claude-x (unauthorized), gpt-y (unauthorized)',
    },
    {
      rule: 'the answer breaks off',
      fields: { model: 'gpt-y' },
      text: 'Botanically ',
      error: 'The answer was cut off: gpt-y (unauthorized)',
    },
  ])('a run that fails ends with a StreamError and no [DONE]: $rule', async ({ fields, text, error }) => {
    app.models.play(() => failing('unauthorized', text));
    const { chunks, done, raw } = await streamed(fields);
    expect(chunks.at(-1)).toStrictEqual({ error });
    expect(
      chunks
        .slice(0, -1)
        .map(({ choices }) => choices[0]?.delta.content ?? '')
        .join(''),
    ).toBe(text);
    expect(done).toBe(false);
    expect(raw).not.toContain('UPSTREAM');
  });

  it('a store that fails before the stream begins is a JSON 500', async () => {
    await using broken = await startSpecApp({
      wrapStore: (store) => ({ ...store, admit: () => Promise.reject(new Error('disk full')) }),
    });
    const { status, body } = await broken.respond({ stream: true });
    expect({ status, body }).toEqual({ status: 500, body: INTERNAL });
  });

  it.each([
    { rule: 'a stream', stream: true },
    { rule: 'a JSON reply', stream: false },
  ])('a client that leaves $rule aborts every upstream call, and the run is still booked', async ({ stream }) => {
    app.models.play((call) => ({ ...PLAIN(call), delayMs: 60_000 }));
    const client = new AbortController();
    const response = fetch(app.baseUrl + RESPONSES_PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...RESPONSE, stream, ai_ensemble: PANEL }),
      signal: client.signal,
    });
    const read = response.then((reply) => reply.text());
    await until(() => app.models.calls.length === 2);
    client.abort();
    await expect(read).rejects.toThrow();
    await until(() => app.models.calls.every(({ signal }) => signal.aborted));
    const booked = async (): Promise<number[]> => {
      const { body } = await app.read<WireUsage>('/v1/usage');
      return body.data.map(({ n_requests }) => n_requests);
    };
    await until(async () => (await booked()).length > 0);
    expect(await booked()).toEqual([1]);
    expect(app.models.calls).toHaveLength(2);
  });
});
