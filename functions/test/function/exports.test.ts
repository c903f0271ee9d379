import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createKey } from '../../src/access/keys';
import { readConfig } from '../../src/config';
import { isRefusal } from '../../src/errors';
import { createServices, type Services } from '../../src/services';
import { callRow, openRow, rateLimit, reservation, settlement } from '../support/store-records';
import { temporaryDirectory } from '../support/temporary-directory';
import { readStream } from '../support/wire';
import { type LoadedFunctions, loadFunctions } from './loaded-functions';

/** When a line was written: by the clock of this machine. */
const WRITTEN = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** The exports of `src/index.ts`, called as the platform calls them, on the embedded store. */
describe('the exported functions', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let loaded: LoadedFunctions;
  /** Another process on the same store, as far as the functions can tell. */
  let operator: Services;
  let server: Server;
  let baseUrl: string;

  beforeAll(async () => {
    directory = await temporaryDirectory();
    const env = { STORE: 'embedded', DATA_DIR: directory.path, KEY_PEPPER: 'pepper', LOG_LEVEL: 'info' };
    loaded = loadFunctions(env);
    operator = createServices(readConfig({ ...env, LOG_LEVEL: 'silent' }));
    server = createServer(loaded.api).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await operator.store.close();
    loaded.unload();
    await directory.remove();
  });

  /** The lines that `work` logs. */
  /** A request recorded for `ada` now, so that its month is a recent one. */
  async function record(requestId: string, settle: boolean, leaseUntilMs = Date.now() + 660_000): Promise<void> {
    const month = new Date().toISOString().slice(0, 7);
    const record = reservation(requestId, { calls: [openRow('c')], month, startedAtMs: Date.now(), leaseUntilMs });
    await operator.store.admit(rateLimit(1_000), [record], Date.now());
    if (settle) await operator.store.settle(settlement(requestId, [callRow('c')], { settledAtMs: Date.now() }));
  }

  describe('api', () => {
    let headers: Record<string, string>;
    beforeAll(async () => {
      const { store, clock, peppers, config } = operator;
      await store.putSubscription({ userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
      const deps = { store, clock, peppers, keyPrefix: config.keyPrefix };
      const created = await createKey(deps, { userId: 'ada', name: 'laptop' });
      if (isRefusal(created)) throw new Error(created.text);
      headers = { authorization: `Bearer ${created.key}` };
    });
    const post = (body: string) => fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body });
    const chat = { model: 'demo-ada', messages: [{ role: 'user', content: 'Is a tomato a fruit?' }] };

    it('answers and streams', async () => {
      const completion = (await (await post(JSON.stringify(chat))).json()) as { object: string };
      expect(completion.object).toBe('chat.completion');
      const stream = await readStream(await post(JSON.stringify({ ...chat, stream: true })));
      expect([stream.done, stream.content.includes('tomato')]).toEqual([true, true]);
    });

    it('refuses a caller without a key and a body that is no JSON', async () => {
      expect((await fetch(`${baseUrl}/models`)).status).toBe(401);
      expect((await post('{')).status).toBe(400);
    });
  });

  describe('sweep', () => {
    it('says that it ran when it found nothing: an alert waits for that', async () => {
      expect(await loaded.logged(loaded.sweep)).toEqual([
        { severity: 'INFO', message: 'swept', records: 0, oldestAgeMs: 0, time: WRITTEN },
      ]);
    });

    it('settles what was left open and says how many that were', async () => {
      await record('left', false, Date.now() - 1);
      await record('running', false);
      const lines = await loaded.logged(loaded.sweep);
      expect(lines).toEqual([
        { severity: 'INFO', message: 'swept', records: 1, oldestAgeMs: expect.any(Number), time: WRITTEN },
      ]);
      expect((await operator.store.findRecord('left'))?.state).toBe('swept');
      expect((await operator.store.findRecord('running'))?.state).toBe('open');
    });
  });

  describe('reconcile', () => {
    it('says how many months it checked, and as an error what in them differs', async () => {
      await record('good', true);
      expect(await loaded.logged(loaded.reconcile)).toEqual([
        { severity: 'INFO', message: 'reconciled', months: 1, differences: 0, time: WRITTEN },
      ]);
      const db = new DatabaseSync(join(directory.path, 'ensemble.db'), { timeout: 1_000 });
      db.exec(
        "UPDATE documents SET fields = json_set(fields, '$.costNano', fields ->> 'costNano' - 7) WHERE kind = 'usage'",
      );
      db.close();
      expect(await loaded.logged(loaded.reconcile)).toMatchObject([
        { severity: 'ERROR', message: 'month differs from its ledger', userId: 'ada', line: 'month', costNanoUsd: 7 },
        { severity: 'INFO', message: 'reconciled', months: 1, differences: 1 },
      ]);
    });
  });
});
