import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refusedUrl } from '../../test/support/fake-upstream';
import { probeBaseUrl } from './base-url-probe';

const KEY = 'sk-0123456789abcdefghij';

/** Asks a real server that answers so; `keys` are the `authorization` headers it was sent. */
async function probed(answer: RequestListener, settings: Record<string, string> = {}) {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  try {
    const found = await probeBaseUrl({ OPENAI_BASE_URL: `${url}/`, OPENAI_API_KEY: KEY, ...settings }, 500);
    return { url, keys, found };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const listing =
  (...ids: unknown[]): RequestListener =>
  (_, response) =>
    response.end(JSON.stringify({ object: 'list', data: ids.map((id) => ({ id })) }));

/** Ids that would order a terminal about, or are none. */
const HOSTILE = ['a\u001b[2J', 'b\nc', '\u202e', 7, null, '', 'x'.repeat(201)];

it.each([
  ['the first that chats', ['nomic-embed-text', 'llama3.2', 'qwen3:8b'], {}, 'llama3.2'],
  ['the usual one, where it is there', ['gpt-4-0613', 'gpt-5.4-mini'], {}, 'gpt-5.4-mini'],
  ['one that is allowed', ['llama3.2', 'qwen3:8b'], { MODELS_ALLOWED: 'phi4, qwen*' }, 'qwen3:8b'],
  ['none, where none chats', ['nomic-embed-text'], {}, undefined],
])('a server names its models; the default is %s', async (_, ids, settings, defaultModel) => {
  const { url, keys, found } = await probed(listing(...HOSTILE, ...ids), settings);
  expect(found).toEqual({ url, models: ids, defaultModel });
  expect(keys).toEqual([`Bearer ${KEY}`]);
});

it.each<[string, RequestListener]>([
  [
    'answers GET /models with status 401: it wants a key (OPENAI_API_KEY)',
    (_, response) => response.writeHead(401).end(`wrong key ${KEY}`),
  ],
  [
    'answers GET /models with status 404: the URL may lack its last part, which is mostly /v1',
    (_, response) => response.writeHead(404).end(),
  ],
  [
    'answers GET /models with status 302',
    (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  ],
  ['did not answer within 500 ms', () => undefined],
  ['did not answer within 500 ms', (_, response) => response.write('{')],
  ['s list of models is too long', (_, response) => response.end(Buffer.alloc(4 * 1024 * 1024 + 1, ' '))],
  ['is no list of models', (_, response) => response.end('<html>')],
])('a server that %s is asked once, and its words are not repeated', async (words, answer) => {
  const { url, found, keys } = await probed(answer);
  expect(found).toEqual({ url, error: expect.stringMatching(words.replaceAll(/[()]/g, '.')) });
  expect([JSON.stringify(found).includes(KEY), keys.length]).toEqual([false, 1]);
});

it('a server without a key is sent none, and one that is not there is said to be so', async () => {
  expect((await probed(listing('a'), { OPENAI_API_KEY: 'none' })).keys).toEqual([undefined]);
  const url = await refusedUrl();
  expect(await probeBaseUrl({ OPENAI_BASE_URL: url })).toEqual({ url, error: 'nothing listens there' });
});

it.each([
  ...[{ DEFAULT_MODEL: 'llama3.2' }, { ANTHROPIC_API_KEY: 'k' }, { GEMINI_BASE_URL: 'https://llm.example.com' }],
  ...[{ MODEL_OVERRIDES: '{}' }, { OPENAI_BASE_URL: '' }, { OPENAI_BASE_URL: 'http://models.example/v1' }],
  { OPENAI_BASE_URL: 'https://user:pass@models.example/v1' },
])('no server is asked with %j', async (settings: Record<string, string>) => {
  const { keys, found } = await probed(listing('a'), settings);
  expect([keys, found]).toEqual([[], undefined]);
});
