import {
  event,
  type FakeUpstream,
  refusedUrl,
  sendEvents,
  sendStatus,
  startFakeUpstream,
} from '../../../test/support/fake-upstream';
import { callOf, faultOf, RecordingListener } from '../../../test/support/provider-calls';
import { createGoogleProvider } from './google';

/** What the SDK would do of its own accord, and must not. */

const STOP = event({ candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason: 'STOP' }] });
const PATH = '/v1beta/models/m:streamGenerateContent?alt=sse';

let upstream: FakeUpstream;
let listener: RecordingListener;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  listener = new RecordingListener();
});

afterEach(() => upstream.close());

function call(overrides: Parameters<typeof callOf>[0] = {}) {
  return callOf({ providerModel: 'm', ...overrides });
}

describe('the environment', () => {
  const names = [
    'GOOGLE_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_GENAI_API_KEY',
    'GOOGLE_GENAI_ACCESS_TOKEN',
    'GOOGLE_GENAI_API_VERSION',
    'GOOGLE_GENAI_USER_PROJECT',
    'GOOGLE_CLOUD_PROJECT',
    'GOOGLE_CLOUD_LOCATION',
    'GOOGLE_APPLICATION_CREDENTIALS',
  ];
  const others = { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_GENAI_USE_ENTERPRISE: 'true', GOOGLE_GENAI_DEBUG: 'true' };
  const before = process.env;

  beforeEach(async () => {
    const url = await refusedUrl();
    process.env = { ...before, ...others, GOOGLE_GEMINI_BASE_URL: url, GOOGLE_VERTEX_BASE_URL: url };
    for (const name of names) process.env[name] = 'leak';
  });

  afterEach(() => {
    process.env = before;
  });

  test('says neither where a request goes nor what is in it', async () => {
    upstream.willReply(sendEvents(STOP));
    await createGoogleProvider({ apiKey: 'AIza-ours', baseUrl: upstream.url }).run(call(), listener);
    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]).toMatchObject({ path: PATH, headers: { 'x-goog-api-key': 'AIza-ours' } });
    expect(JSON.stringify(upstream.requests)).not.toContain('leak');
  });
});

test('only the headers that the protocol needs are sent: none that describes the machine or sets a time', async () => {
  upstream.willReply(sendEvents(STOP));
  await createGoogleProvider({ apiKey: 'AIza-ours', baseUrl: upstream.url }).run(call(), listener);
  expect(Object.keys(upstream.requests[0]?.headers ?? {}).sort()).toEqual([
    'accept-encoding',
    'connection',
    'content-length',
    'content-type',
    'host',
    'user-agent',
    'x-goog-api-key',
  ]);
  expect(upstream.requests[0]?.headers['content-type']).toBe('application/json');
});

describe('one call is one request', () => {
  test.each([408, 429, 500, 502, 503, 504])('after a %i', async (status) => {
    upstream.willReply(sendStatus(status, { error: { code: status, message: 'x' } }), sendEvents(STOP));
    await faultOf(createGoogleProvider({ apiKey: 'k', baseUrl: upstream.url }).run(call(), listener));
    expect(upstream.requests).toHaveLength(1);
  });

  test('when a reply could be continued', async () => {
    const finishReason = 'MAX_TOKENS';
    const content = { role: 'model', parts: [{ text: 'a' }] };
    const broken = event({ candidates: [{ index: 0, content, finishReason, continuationToken: 'more' }] });
    upstream.willReply(sendEvents(broken), sendEvents(STOP));
    const provider = createGoogleProvider({ apiKey: 'k', baseUrl: upstream.url });
    await expect(provider.run(call(), listener)).resolves.toBe('length');
    expect(upstream.requests).toHaveLength(1);
  });

  test('when the stream is cut off', async () => {
    upstream.willReply(sendEvents(''), sendEvents(STOP));
    await faultOf(createGoogleProvider({ apiKey: 'k', baseUrl: upstream.url }).run(call(), listener));
    expect(upstream.requests).toHaveLength(1);
  });
});

test.each(['AIza-ours', 'auth_tokens/ours', 'none', ''])(
  'the key %j is sent as it is, in the header alone',
  async (apiKey) => {
    upstream.willReply(sendEvents(STOP));
    await createGoogleProvider({ apiKey, baseUrl: upstream.url }).run(call(), listener);
    expect(upstream.requests[0]).toMatchObject({ path: PATH, headers: { 'x-goog-api-key': apiKey } });
  },
);

describe('the console', () => {
  const levels = ['debug', 'info', 'log', 'warn', 'error'] as const;
  const spies = () => levels.map((level) => jest.spyOn(console, level).mockImplementation(() => undefined));

  afterEach(() => jest.restoreAllMocks());

  test.each(['AIza-ours', ''])('stays empty with the key %j, whether a call succeeds or fails', async (apiKey) => {
    const watched = spies();
    upstream.willReply(sendEvents(STOP), sendStatus(400, { error: { code: 400, message: 'secret words' } }));
    const provider = createGoogleProvider({ apiKey, baseUrl: upstream.url });
    await provider.run(call(), listener);
    await faultOf(provider.run(call(), listener));
    expect(upstream.requests).toHaveLength(2);
    expect(watched.flatMap((spy) => spy.mock.calls)).toEqual([]);
  });
});

test.each(['http://HOST', 'http://HOST/', 'http://HOST/gateway/'])('a base URL like %s', async (form) => {
  upstream.willReply(sendEvents(STOP));
  const baseUrl = form.replace('http://HOST', upstream.url);
  await createGoogleProvider({ apiKey: 'k', baseUrl }).run(call(), listener);
  expect(upstream.requests[0]?.path).toBe(form.includes('gateway') ? `/gateway${PATH}` : PATH);
});

test('a tuned model and one with its full name are asked under that name', async () => {
  upstream.willReply(sendEvents(STOP), sendEvents(STOP));
  const provider = createGoogleProvider({ apiKey: 'k', baseUrl: upstream.url });
  await provider.run(call({ providerModel: 'tunedModels/t-1' }), listener);
  await provider.run(call({ providerModel: 'models/m' }), listener);
  expect(upstream.requests.map(({ path }) => path)).toEqual([
    '/v1beta/tunedModels/t-1:streamGenerateContent?alt=sse',
    PATH,
  ]);
});
