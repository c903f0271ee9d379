import { rm } from 'node:fs/promises';
import OpenAI from 'openai';
import { during } from '../support/during';
import { event, sendEvents, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { DOORS, type RunningServer, startServer } from './servers';

/** The official client, streaming from the built service: what fails before the first event has its own status and class. */

const [openai] = PROTOCOLS;

describe.each(DOORS)('a stream of a plain id through the door of %s', (_, door) => {
  const upstream = during('all', startFakeUpstream);
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ ...door, env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1` } });
  });
  afterAll(async () => {
    await server.kill();
    await rm(server.directory, { recursive: true, force: true });
  });

  const ask = (model = 'vendor-x', fields: object = {}) =>
    new OpenAI({ baseURL: `${server.baseUrl}/v1`, apiKey: server.key, maxRetries: 0 }).chat.completions.create({
      ...{ model, messages: [{ role: 'user', content: 'Why?' }], stream: true },
      ...fields,
    });

  it.each([
    [429, { 'retry-after': '120' }, OpenAI.RateLimitError, '120'],
    [401, {}, OpenAI.InternalServerError, null],
    [404, {}, OpenAI.BadRequestError, null],
    [500, { 'retry-after': '120' }, OpenAI.InternalServerError, null],
  ] as const)('that its provider refuses with %i %j is an error of the client', async (status, headers, kind, wait) => {
    upstream.willReply(sendStatus(status, { error: { message: 'no' } }, headers));
    const error: unknown = await ask().catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(kind);
    expect((error as InstanceType<typeof kind>).headers.get('retry-after')).toBe(wait);
  });

  it('has the thoughts of its model piece by piece, in order and before its text', async () => {
    const piece = (delta: object, finish_reason: string | null = null) =>
      event({ choices: [{ delta, finish_reason }] });
    const words = ['First ', 'this, ', 'then that.'];
    const thoughts = words.map((reasoning_content) => piece({ reasoning_content })).join('');
    upstream.willReply(sendEvents(`${thoughts}${piece({ content: 'So.' })}${piece({}, 'stop')}`));
    const heard: unknown[] = [];
    for await (const { choices } of await ask()) {
      const { content, reasoning_content: thought } = (choices[0]?.delta ?? {}) as Record<string, unknown>;
      heard.push(...[thought, content].filter(Boolean));
    }
    expect(heard).toEqual([...words, 'So.']);
  });

  it('is read as ever where its model answers', async () => {
    upstream.willReply(sendEvents(openai?.reply('Because.', 3, 2) ?? ''));
    let text = '';
    for await (const { choices } of await ask()) text += choices[0]?.delta.content ?? '';
    expect(text).toBe('Because.');
  });
});
