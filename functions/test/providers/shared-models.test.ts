import { systemClock } from '../../src/lib/clock';
import { type App, bearer, CHAT, CHAT_PATH, startApp } from '../support/app';
import { type FakeUpstream, type Reply, sendEvents, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import type { WireCompletion } from '../support/wire';

/** One user's requests at a model that others use too: whatever comes of them, the others are answered. */

const MODEL = 'gpt-4o';
const HARMFUL = 'Fail, please.';
const [openai] = PROTOCOLS;

/** The provider fails whoever asks it to, and answers everybody else. */
const provider: Reply = (exchange) =>
  exchange.request.body.includes(HARMFUL)
    ? sendStatus(500, 'broken')(exchange)
    : sendEvents(openai?.reply('All is well.', 10, 3) ?? '')(exchange);

let upstream: FakeUpstream;
let app: App;

beforeEach(async () => {
  upstream = await startFakeUpstream(provider);
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1` };
  app = await startApp({ clock: systemClock, providers: {}, env });
});
afterEach(async () => {
  await app.close();
  await upstream.close();
});

async function ask(key: string, content: string, models: readonly string[] = [MODEL]) {
  const body = { ...CHAT, model: MODEL, messages: [{ role: 'user', content }], ai_ensemble: { models } };
  const response = await app.post(CHAT_PATH, body, bearer(key));
  return { status: response.status, body: (await response.json()) as WireCompletion };
}

it('regression: one request that holds a model sixteen times does not close it to other users', async () => {
  const bob = await app.user('bob', 'pro');
  const harmful = await ask(app.key, HARMFUL, Array<string>(16).fill(MODEL));
  expect(harmful.status).toBe(500);
  expect(upstream.requests.length).toBeGreaterThanOrEqual(16);
  const { status, body } = await ask(bob, 'How are you?');
  expect({ status, answer: body.choices?.[0].message.content }).toEqual({ status: 200, answer: 'All is well.' });
});
