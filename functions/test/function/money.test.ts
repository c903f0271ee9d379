import { createKey } from '../../src/access/keys';
import { readConfig } from '../../src/config';
import { isRefusal } from '../../src/errors';
import { monthOf } from '../../src/ledger/month';
import { createServices } from '../../src/services';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream';
import { describeWithFirestore } from '../support/firestore-emulator';
import { temporaryDirectory } from '../support/temporary-directory';
import { until } from '../support/until';
import { type RunningServer, startServer } from './servers';

/** Budgets and estimates against users who know how both are made. */

const MODEL = 'priced';
/** $0.15 and $0.60 a million tokens: a reply as long as this costs $0.0037. */
const REPLY_TOKENS = 6_166;
const BUDGET_NANO_USD = 20_000_000;
const AT_ONCE = 30;
const PRICE = { inputUsdPerMillion: 0.15, outputUsdPerMillion: 0.6 };

jest.setTimeout(60_000);

describe('money in the embedded store', () => {
  suite(async () => ({ STORE: 'embedded', DATA_DIR: (await temporaryDirectory()).path }));
});

describeWithFirestore('money in Firestore', (emulator) => {
  const project = emulator.newProject();
  suite(async () => ({
    STORE: 'firestore',
    GCLOUD_PROJECT: project,
    FIRESTORE_EMULATOR_HOST: process.env['FIRESTORE_EMULATOR_HOST'] ?? '',
  }));
});

function suite(storeSettings: () => Promise<Record<string, string>>): void {
  let upstream: FakeUpstream;
  let server: RunningServer;
  let container: ReturnType<typeof createServices>;
  /** Opens for all replies that are waited for, and for later ones. */
  let gate: PromiseWithResolvers<void>;

  beforeAll(async () => {
    upstream = await startFakeUpstream(async (exchange) => {
      await Promise.race([gate.promise, exchange.disconnected]);
      const usage = { prompt_tokens: 1, completion_tokens: REPLY_TOKENS };
      for (const part of [
        { choices: [{ index: 0, delta: { content: 'A berry.' }, finish_reason: 'stop' }] },
        { choices: [], usage },
      ]) {
        exchange.write(`data: ${JSON.stringify(part)}\n\n`);
      }
      exchange.end('data: [DONE]\n\n');
    });
    const overrides = {
      models: [{ id: MODEL, endpoint: 'local', price: PRICE }],
      endpoints: { local: { baseUrl: `${upstream.url}/v1` } },
    };
    const env = {
      ...(await storeSettings()),
      KEY_PEPPER: 'a pepper for this proof only',
      LOG_LEVEL: 'silent',
      MODEL_OVERRIDES: JSON.stringify(overrides),
    };
    container = createServices(readConfig(env));
    server = await startServer({ env });
  });
  beforeEach(() => {
    gate = Promise.withResolvers();
  });
  afterAll(async () => {
    await server.stop();
    await container.store.close();
    await upstream.close();
  });

  const newUser = async (userId: string): Promise<string> => {
    const { store, clock, peppers, config } = container;
    await store.putSubscription({ userId, tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
    const made = await createKey({ store, clock, peppers, keyPrefix: config.keyPrefix }, { userId, name: 'proof' });
    if (isRefusal(made)) throw new Error(made.text);
    return made.key;
  };
  const ask = (key: string, content: string, signal?: AbortSignal) =>
    fetch(`${server.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content }] }),
      ...(signal && { signal }),
    });
  const bookedOf = async (userId: string) => {
    const [month] = await container.store.readMonths(userId, [monthOf(container.clock.nowMs())]);
    return month;
  };

  it('a budget of $0.02 lets in $0.033 of 30 requests at once, where it let in all of $0.111', async () => {
    const key = await newUser('hasty');
    await container.store.setUserBudget('hasty', BUDGET_NANO_USD);
    const before = upstream.requests.length;
    const statuses: number[] = [];
    const replies = Array.from({ length: AT_ONCE }, async () => {
      const reply = await ask(key, 'Why?');
      statuses.push(reply.status);
      await reply.text();
    });
    await until(() => statuses.length + upstream.requests.length - before === AT_ONCE);
    gate.resolve();
    await Promise.all(replies);
    expect(statuses.filter((status) => status === 403)).toHaveLength(AT_ONCE - 9);
    expect(statuses.filter((status) => status === 200)).toHaveLength(9);
    expect((await bookedOf('hasty'))?.costNanoUsd).toBeLessThan(1.7 * BUDGET_NANO_USD);
  });
}
