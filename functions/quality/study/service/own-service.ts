import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createKey, revokeKey } from '../../../src/access/keys';
import { REQUESTS_PER_MINUTE_MAX } from '../../../src/access/rate-limit';
import { orThrow } from '../../../src/cli/command';
import { readConfig } from '../../../src/config';
import { createHttpServer } from '../../../src/http/http-server';
import { createServices, type Services } from '../../../src/services';
import type { Server } from './client';

const USER = 'study';

/** A service of the study's own. */
export interface OwnService extends Server, AsyncDisposable {}

/**
 * Starts the service on this machine, with the providers that the environment names and a store in the study's folder. Its key
 * has what is left of the cap as its monthly budget: the server itself refuses what comes after.
 */
export async function startOwnService(folder: string, budgetNanoUsd: number): Promise<OwnService> {
  const settings = { STORE: 'embedded', DATA_DIR: join(folder, 'store'), LOG_LEVEL: 'error', K_SERVICE: undefined };
  const limits = { RATE_LIMIT_RPM: String(REQUESTS_PER_MINUTE_MAX) };
  const container = createServices(readConfig({ ...process.env, ...settings, ...limits }));
  const { key, record } = await newKey(container, budgetNanoUsd);
  const server = createHttpServer(container).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...{ key, baseUrl: `http://127.0.0.1:${port}/v1` },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await revokeKey(container, record);
      await container.store.close();
    },
  };
}

/** Makes the key; those of studies that were killed are ended. */
async function newKey(container: Services, budgetNanoUsd: number) {
  const { store, clock, config } = container;
  await store.putSubscription({ userId: USER, tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
  const deps = { ...container, keyPrefix: config.keyPrefix };
  for (const { keyId } of await store.listKeys(USER)) await revokeKey(deps, { userId: USER, keyId });
  return orThrow(await createKey(deps, { userId: USER, name: 'study', budgetNanoUsd }));
}
