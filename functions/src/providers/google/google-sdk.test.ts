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

/** Habits of the SDK that it must not have here. */

const STOP = event({ candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason: 'STOP' }] });
const PATH = '/v1beta/models/m:streamGenerateContent?alt=sse';

let upstream: FakeUpstream;
let listener: RecordingListener;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  listener = new RecordingListener();
});

afterEach(() => upstream.close());

function run({ apiKey = 'AIza-ours', baseUrl = upstream.url, providerModel = 'm' } = {}) {
  return createGoogleProvider({ apiKey, baseUrl }).run(callOf({ providerModel }), listener);
}

describe('the environment', () => {
  const names = ['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENAI_API_KEY', 'GOOGLE_GENAI_ACCESS_TOKEN'];
  const more = ['API_VERSION', 'USER_PROJECT'].map((name) => `GOOGLE_GENAI_${name}`);
  const cloud = ['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION', 'GOOGLE_APPLICATION_CREDENTIALS'];
  const others = { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_GENAI_USE_ENTERPRISE: 'true', GOOGLE_GENAI_DEBUG: 'true' };
  const before = process.env;

  beforeEach(async () => {
    const url = await refusedUrl();
    process.env = { ...before, ...others, GOOGLE_GEMINI_BASE_URL: url, GOOGLE_VERTEX_BASE_URL: url };
    for (const name of [...names, ...more, ...cloud]) process.env[name] = 'leak';
  });

  afterEach(() => {
    process.env = before;
  });

  test('says neither where a request goes nor what is in it', async () => {
    upstream.willReply(sendEvents(STOP));
    await run();
    expect(upstream.requests).toMatchObject([{ path: PATH, headers: { 'x-goog-api-key': 'AIza-ours' } }]);
    expect(JSON.stringify(upstream.requests)).not.toContain('leak');
  });
});

test('only the headers that the protocol needs are sent: none that describes the machine or sets a time', async () => {
  upstream.willReply(sendEvents(STOP));
  await run();
  expect(Object.keys(upstream.requests[0]?.headers ?? {}).sort()).toEqual([
    ...['accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'user-agent', 'x-goog-api-key'],
  ]);
});

test('a reply that could be continued is one request', async () => {
  const content = { role: 'model', parts: [{ text: 'a' }] };
  const broken = event({ candidates: [{ content, finishReason: 'MAX_TOKENS', continuationToken: 'more' }] });
  upstream.willReply(sendEvents(broken), sendEvents(STOP));
  await expect(run()).resolves.toBe('length');
  expect(upstream.requests).toHaveLength(1);
});

test.each(['AIza-ours', 'auth_tokens/ours', 'none', ''])(
  'the key %j is sent as it is, in the header alone, and nothing is written to the console',
  async (apiKey) => {
    const levels = ['debug', 'info', 'log', 'warn', 'error'] as const;
    const spies = levels.map((level) => jest.spyOn(console, level).mockImplementation(() => undefined));
    upstream.willReply(sendEvents(STOP), sendStatus(400, { error: { code: 400, message: 'secret words' } }));
    await run({ apiKey });
    await faultOf(run({ apiKey }));
    expect(upstream.requests).toMatchObject(Array(2).fill({ path: PATH, headers: { 'x-goog-api-key': apiKey } }));
    expect(spies.flatMap((spy) => spy.mock.calls)).toEqual([]);
    jest.restoreAllMocks();
  },
);

test.each([
  ['/', 'm', PATH],
  ['/gateway/', 'm', `/gateway${PATH}`],
  ['', 'tunedModels/t-1', '/v1beta/tunedModels/t-1:streamGenerateContent?alt=sse'],
  ['', 'models/m', PATH],
])('a base URL that ends in %j and the model %s make the path %s', async (end, providerModel, path) => {
  upstream.willReply(sendEvents(STOP));
  await run({ baseUrl: upstream.url + end, providerModel });
  expect(upstream.requests[0]?.path).toBe(path);
});
