import { type App, RESPONSE, RESPONSES_PATH, startApp } from '../support/app';
import { readStream, type WireStream } from '../support/wire';

const NOW_MS = Date.UTC(2026, 0, 15, 12, 0);
const PANEL = { models: ['demo-blaise', 'demo-curie'] };
const EVERYTHING = {
  reasoning: { effort: 'high' },
  ai_ensemble: { ...PANEL, rounds: 2, includeCandidates: true, includeFollowUpPrompts: true },
};

describe('POST /v1/responses: the stream', () => {
  let app: App;
  beforeEach(async () => {
    app = await startApp();
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
    await using other = await startApp();
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
});
