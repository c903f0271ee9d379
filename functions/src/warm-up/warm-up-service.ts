import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Config } from '../config';
import { type Container, createContainer } from '../container';
import { isRefusal } from '../errors';
import { REQUESTS_PER_MINUTE_MAX } from '../guard/rate-limit';
import { answerDirectly } from '../http/direct-requests';
import type { DuringRequest } from '../http/request-faults';
import { createKey } from '../keys/keys';
import { systemClock as clock, newId } from '../lib/clock';
import { joinedLines } from '../lib/joined-lines';
import { createLog } from '../lib/log';
import { OpenWork } from '../lib/open-work';
import { openLoopback } from './loopback';
import { openWarmUpModels } from './warm-up-models';
import { type WarmUpKind, warmUpRequest } from './warm-up-requests';

/** Users who take turns, so that no log of the limiter becomes longer than those of real users. */
const USERS = 30;

/** Makes a request of a kind; resolves when the whole reply is there. Rejects with what it says unless that is a 200. */
export type AskWarmUpService = (kind: WarmUpKind) => Promise<void>;

/**
 * Opens a service like the one of the process, with users, books and models of its own, on a store in the system's
 * directory for temporary files; `ends` closes it and removes the store, also where it could not be opened whole.
 */
export async function openWarmUpService(
  { config, during }: { readonly config: Config; readonly during: DuringRequest },
  ends: AsyncDisposableStack,
): Promise<AskWarmUpService> {
  const directory = mkdtempSync(join(tmpdir(), 'ensemble-api-warm-up-'));
  ends.defer(() => rmSync(directory, { recursive: true, force: true }));
  const modelsPort = await openWarmUpModels(ends);
  const openWork = new OpenWork();
  const container = createContainer(settingsOf(config, { directory, modelsPort }), { log: logToNowhere(), openWork });
  ends.defer(() => container.store.close());
  const server = createServer();
  answerDirectly(server, { app: container.app, during, openWork, clock });
  const port = await openLoopback(server, ends);
  const agent = ends.adopt(new Agent({ keepAlive: true }), (opened) => opened.destroy());
  const authorizations = await Promise.all(Array.from({ length: USERS }, () => newUser(container)));
  const priced = container.catalog.rows.find(({ provider }) => provider === 'openai')?.id ?? '';
  let asked = 0;
  return async (kind) => {
    const authorization = authorizations[asked % USERS] ?? '';
    asked += 1;
    const body = JSON.stringify(warmUpRequest(kind, priced));
    const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const to = { host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST' };
    const [reply] = (await once(request({ ...to, agent, headers }).end(body), 'response')) as [IncomingMessage];
    const said = await text(reply);
    if (reply.statusCode !== 200) throw new Error(`${reply.statusCode}: ${said}`);
  };
}

/** The settings of the process, but for all that costs, counts, or is somebody's. */
function settingsOf(config: Config, own: { readonly directory: string; readonly modelsPort: number }): Config {
  return {
    ...config,
    // The secrets are those of the directory, too.
    ...{ store: 'embedded', dataDirectory: own.directory, peppers: [], routerKeyRing: [] },
    models: [],
    providers: { openai: { apiKey: 'none', baseUrl: `http://127.0.0.1:${own.modelsPort}/v1` } },
    demoModels: false,
    modelsAllowed: [],
    unpriced: 'allow',
    requestsPerMinute: REQUESTS_PER_MINUTE_MAX,
    runsKeptDays: 0,
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
