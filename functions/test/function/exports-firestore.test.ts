import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKey } from '../../src/access/keys';
import { readConfig } from '../../src/config';
import { type Container, createContainer } from '../../src/container';
import { isRefusal } from '../../src/errors';
import { describeWithFirestore } from '../support/firestore-emulator';
import { callRow, openRow, rateLimit, reservation, settlement } from '../support/store-records';
import { type LoadedFunctions, loadFunctions } from './loaded-functions';

/** When a line was written: by the clock of this machine. */
const WRITTEN = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** The exports of `src/index.ts` as they run in production: on Firestore, each in instances of its own. */
describeWithFirestore('the exported functions on Firestore', (emulator) => {
  let loaded: LoadedFunctions;
  let operator: Container;
  let server: Server;
  let request: () => Promise<Response>;

  beforeAll(async () => {
    const env = { STORE: 'firestore', GCLOUD_PROJECT: emulator.newProject(), KEY_PEPPER: 'pepper', LOG_LEVEL: 'info' };
    operator = createContainer(readConfig({ ...env, FIRESTORE_EMULATOR_HOST: 'set', LOG_LEVEL: 'silent' }));
    await record('left', { leaseUntilMs: Date.now() - 1 });
    loaded = loadFunctions(env);
    server = createServer(loaded.api).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { store, clock, peppers, config } = operator;
    await store.putSubscription({ userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
    const deps = { store, clock, peppers, keyPrefix: config.keyPrefix };
    const created = await createKey(deps, { userId: 'ada', name: 'laptop' });
    if (isRefusal(created)) throw new Error(created.text);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
    const body = JSON.stringify({ model: 'demo-ada', messages: [{ role: 'user', content: 'Why?' }] });
    request = () => fetch(url, { method: 'POST', headers: { authorization: `Bearer ${created.key}` }, body });
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await operator.store.close();
    loaded.unload();
  });

  async function record(requestId: string, { leaseUntilMs }: { leaseUntilMs: number }): Promise<void> {
    const month = new Date().toISOString().slice(0, 7);
    const record = reservation(requestId, { calls: [openRow('c')], month, startedAtMs: Date.now(), leaseUntilMs });
    await operator.store.admit(rateLimit(1_000), [record], Date.now());
  }
  const stateOf = async (requestId: string) => (await operator.store.findRecord(requestId))?.state;

  it('leave to `sweep` what was left open: an instance of `api` does not look for it', async () => {
    expect((await request()).status).toBe(200);
    expect(await stateOf('left')).toBe('open');
    expect(await loaded.logged(loaded.sweep)).toEqual([
      { severity: 'INFO', message: 'swept', records: 1, oldestAgeMs: expect.any(Number), time: WRITTEN },
    ]);
    expect(await stateOf('left')).toBe('swept');
  });

  it('sweep nothing that is still running, and add nothing to what was settled', async () => {
    await record('running', { leaseUntilMs: Date.now() + 660_000 });
    await record('settled', { leaseUntilMs: Date.now() - 1 });
    await operator.store.settle(settlement('settled', [callRow('c')]));
    await loaded.sweep();
    expect([await stateOf('running'), await stateOf('settled')]).toEqual(['open', 'settled']);
  });

  it('reconcile finds no difference in what was settled', async () => {
    expect(await loaded.logged(loaded.reconcile)).toEqual([
      { severity: 'INFO', message: 'reconciled', months: 1, differences: 0, time: WRITTEN },
    ]);
  });
});
