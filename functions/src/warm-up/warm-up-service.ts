import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Config } from '../config';
import { type Container, createContainer } from '../container';
import { isRefusal } from '../errors';
import { parsePeppers } from '../guard/api-key';
import { REQUESTS_PER_MINUTE_MAX } from '../guard/rate-limit';
import { answerDirectly } from '../http/direct-requests';
import type { DuringRequest } from '../http/request-faults';
import { createKey } from '../keys/keys';
import { systemClock as clock, newId } from '../lib/clock';
import { joinedLines } from '../lib/joined-lines';
import { createLog } from '../lib/log';
import { OpenWork } from '../lib/open-work';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import { openLoopback } from './loopback';
import { openWarmUpModels } from './warm-up-models';
import { type WarmUpKind, warmUpRequest } from './warm-up-requests';

/** Users who take turns, so that no log of the limiter becomes longer than those of real users. */
const USERS = 30;

/** A service beside the real one, with users, books and models of its own. */
export interface WarmUpService {
  /** Makes a request of a kind; resolves when the whole reply is there. Rejects with what it says unless that is a 200. */
  readonly ask: (kind: WarmUpKind) => Promise<void>;
  /** Closes it and removes its store. */
  readonly close: () => Promise<void>;
}

/** Opens a service like the one that `config` describes, on a store in the system's directory for temporary files. */
export async function openWarmUpService(config: Config, during: DuringRequest): Promise<WarmUpService> {
  const directory = mkdtempSync(join(tmpdir(), 'ensemble-api-warm-up-'));
  const store = openEmbeddedStore({ directory });
  const models = await openWarmUpModels();
  const openWork = new OpenWork();
  const container = createContainer(settingsOf(config, models.port), { store, log: logToNowhere(), openWork });
  const server = createServer();
  answerDirectly(server, { app: container.app, during, openWork, clock });
  const service = await openLoopback(server);
  const agent = new Agent({ keepAlive: true });
  const authorizations = await Promise.all(Array.from({ length: USERS }, () => newUser(container)));
  const priced = container.catalog.rows.find(({ provider }) => provider === 'openai')?.id ?? '';
  let asked = 0;
  return {
    ask: async (kind) => {
      const authorization = authorizations[asked % USERS] ?? '';
      asked += 1;
      const body = JSON.stringify(warmUpRequest(kind, priced));
      const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const to = { host: '127.0.0.1', port: service.port, path: '/v1/chat/completions', method: 'POST' };
      const [reply] = (await once(request({ ...to, agent, headers }).end(body), 'response')) as [IncomingMessage];
      const said = await text(reply);
      if (reply.statusCode !== 200) throw new Error(`${reply.statusCode}: ${said}`);
    },
    close: async () => {
      agent.destroy();
      service.close();
      models.close();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The settings of the process, but for all that costs, counts, or is somebody's. */
function settingsOf(config: Config, port: number): Config {
  return {
    ...config,
    models: [],
    providers: { openai: { apiKey: 'none', baseUrl: `http://127.0.0.1:${port}/v1` } },
    demoModels: false,
    modelsAllowed: [],
    unpriced: 'allow',
    requestsPerMinute: REQUESTS_PER_MINUTE_MAX,
    runsKeptDays: 0,
    peppers: parsePeppers(newId(clock)),
    dashboard: { ...config.dashboard, users: 'nobody' },
  };
}

/** Lines are written as they are otherwise, and thrown away. */
function logToNowhere() {
  const nothing = (): void => undefined;
  return createLog('info', joinedLines(nothing, clock, nothing), { format: 'json', nowMs: clock.nowMs });
}

/** Makes a Pro user with a key; resolves with the header that the user asks with. */
async function newUser({ store, peppers, log, config: { keyPrefix } }: Container): Promise<string> {
  const userId = newId(clock);
  await store.putSubscription({ userId, tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
  const deps = { store, clock, log, peppers, keyPrefix, actor: 'system' } as const;
  const created = await createKey(deps, { userId, name: 'warm-up' });
  if (isRefusal(created)) throw new Error(created.text);
  return `Bearer ${created.key}`;
}
