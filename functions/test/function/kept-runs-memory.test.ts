import { type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../src/config';
import { pack, packEvents } from '../../src/lib/packed';
import { createServices } from '../../src/services';
import type { Store } from '../../src/store/store';
import { DASHBOARD_SECRET } from '../support/app';
import { LOCAL_USER, pageHeaders } from '../support/dashboard';
import { type FakeUpstream, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { describeWithFirestore } from '../support/firestore-emulator';
import { isLongMode } from '../support/long-mode';
import { keptMax, keptRun } from '../support/store-records';
import { temporaryDirectory } from '../support/temporary-directory';
import { unsignedToken } from '../support/unsigned-token';
import { askBeside } from './beside';
import { HUNGRY_MODELS, type HungryUpstream, startHungryUpstream } from './hungry-models';
import { type MemoryLimit, memoryLimit } from './memory-limit';
import { keysOf, type RunningServer, startServer, usersOf } from './servers';

/**
 * Reading what is kept of runs, in the memory of a deployed function: three users with ten readers each that do not read,
 * and with as many requests as they like, leave everybody else their room.
 */

const LIMIT_MIB = 512;
const PEAK_MIB = 400;
const PEPPER = 'a pepper for the memory proof only';
const USERS = usersOf(3);
const READERS_EACH = 10;
const { answers: CALM } = HUNGRY_MODELS;
const RUN_ID = 'a'.repeat(32);
/** A trace as long as traces can be, in which zip finds much to save: 16 events of 1 MiB. */
const EVENT = JSON.stringify({ type: 'limitation', text: 'x'.repeat(2 ** 20) });
const EVENTS = 16;
const EVALUATION = { evaluations: [{ reasoning: 'y'.repeat(1_000_000) }] };
const REQUEST = { messages: [{ role: 'user', content: 'z'.repeat(4_000_000) }] };
const SMALL = JSON.stringify({ model: CALM, messages: [{ role: 'user', content: 'Why?' }] });

jest.setTimeout(60_000);

/** User of the dashboard, and the headers of their requests. */
type DashboardUser = readonly [userId: string, headers: Record<string, string>];

describe('kept runs in the embedded store', () => {
  const storeSettings = async () => ({
    STORE: 'embedded',
    DATA_DIR: (await temporaryDirectory()).path,
    DASHBOARD_SECRET,
  });
  suite({ storeSettings, dashboardUsers: (server) => [[LOCAL_USER, pageHeaders(server)]] });
});

describeWithFirestore('kept runs in Firestore', (emulator) => {
  const project = emulator.newProject();
  let auth: FakeUpstream;
  beforeAll(async () => {
    // Beside the emulator tokens need no signature, and their users are looked up.
    auth = await startFakeUpstream(async (exchange) => {
      const localId = USERS.find((userId) => exchange.request.body.includes(userId));
      await sendStatus(200, { users: [{ localId, validSince: '0', disabled: false }] })(exchange);
    });
  });
  afterAll(() => auth.close());
  suite({
    storeSettings: async () => ({
      STORE: 'firestore',
      GCLOUD_PROJECT: project,
      FIRESTORE_EMULATOR_HOST: process.env['FIRESTORE_EMULATOR_HOST'] ?? '',
      FIREBASE_AUTH_EMULATOR_HOST: new URL(auth.url).host,
    }),
    dashboardUsers: () =>
      USERS.map((userId) => [userId, { authorization: `Bearer ${unsignedToken(project, userId)}` }]),
  });
});

interface Place {
  readonly storeSettings: () => Promise<Record<string, string>>;
  readonly dashboardUsers: (server: RunningServer) => readonly DashboardUser[];
}

function suite({ storeSettings, dashboardUsers }: Place): void {
  let limit: MemoryLimit;
  let server: RunningServer;
  let keys: readonly string[];
  let upstream: HungryUpstream;

  beforeAll(async () => {
    limit = memoryLimit(LIMIT_MIB);
    upstream = await startHungryUpstream();
    const overrides = {
      models: [{ id: CALM, endpoint: 'calm' }],
      endpoints: { calm: { baseUrl: `${upstream.url}/v1` } },
    };
    const settings = await storeSettings();
    const env = {
      ...settings,
      KEY_PEPPER: PEPPER,
      LOG_LEVEL: 'silent',
      MODEL_OVERRIDES: JSON.stringify(overrides),
      ...limit.env,
    };
    keys = await keysOf(env, [...USERS, ...usersOf(30, 'other')]);
    const { store } = createServices(readConfig(env));
    for (const userId of [...USERS, LOCAL_USER]) await keepRun(store, userId);
    await store.close();
    server = await startServer({ env, launcher: limit.launcher });
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await upstream.close();
    limit.remove();
  });

  /** Sends a request whose reply is not read; resolves with its status. */
  function ask(path: string, headers: Record<string, string>): Promise<{ status: number; end(): void }> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: server.port, path, headers, agent: false });
      sent.once('error', reject).once('response', (response: IncomingMessage) => {
        response.pause();
        sent.on('error', () => undefined);
        resolve({ status: response.statusCode ?? 0, end: () => sent.destroy() });
      });
      sent.end();
    });
  }

  it(`holds less than ${PEAK_MIB} MiB for 30 readers that do not read, and the others are all served`, async () => {
    const others = askBeside(server.baseUrl, keys.slice(USERS.length), SMALL);
    const readers = await Promise.all(
      Array.from({ length: USERS.length * READERS_EACH }, (_, at) =>
        ask(`/v1/runs/${RUN_ID}/events`, { authorization: `Bearer ${keys[at % USERS.length]}` }),
      ),
    );
    expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200));
    await pause(isLongMode ? 5_000 : 2_000);
    expect(await others.end()).toEqual([200]);
    for (const { end } of readers) end();
    expect(server.peakMemoryMib()).toBeLessThan(PEAK_MIB);
  });

  it(`holds less than ${PEAK_MIB} MiB for 20 requests of each user for a run, and as many for its evaluations`, async () => {
    const paths = ['', '/evaluations'].map((part) => `/dashboard/runs/${RUN_ID}${part}`);
    const asked = await Promise.all(
      dashboardUsers(server).flatMap(([, headers]) =>
        paths.flatMap((path) => Array.from({ length: 20 }, () => ask(path, headers))),
      ),
    );
    await pause(isLongMode ? 5_000 : 1_000);
    const statuses = asked.map(({ status }) => status);
    for (const { end } of asked) end();
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(server.peakMemoryMib()).toBeLessThan(PEAK_MIB);
    for (const [, headers] of dashboardUsers(server)) {
      const reply = await fetch(`${server.baseUrl}${paths[1]}`, { headers });
      expect([reply.status, ((await reply.json()) as { data: unknown[] }).data.length]).toEqual([200, 2]);
    }
  });

  it('gives a reader that reads the whole trace, once there is room for it', async () => {
    const url = `${server.baseUrl}/v1/runs/${RUN_ID}/events`;
    const reply = await fetch(url, { headers: { authorization: `Bearer ${keys[0]}` } });
    expect((await reply.text()).match(/^data: \{"type":"limitation"/gm)).toHaveLength(EVENTS);
  });
}

/** Keeps a run with a trace, a request and evaluations of megabytes, as one that is over. */
async function keepRun(store: Store, userId: string): Promise<void> {
  const nowMs = Date.now();
  const times = { startedAtMs: nowMs, leaseUntilMs: nowMs, expiresAtMs: nowMs + 86_400_000 };
  const run = keptRun(RUN_ID, { userId, state: 'complete', ...times });
  await store.createRun(run, await pack(REQUEST), keptMax());
  for (let from = 0; from < EVENTS; from += 1) {
    const batch = { from, to: from + 1, bytes: await packEvents([EVENT]) };
    await store.writeRun({ ...run, eventCount: from + 1 }, batch);
  }
  for (let count = 0; count < 20; count += 1) {
    await store.addEvaluation(run, await pack(EVALUATION), keptMax({ evaluations: 20 }));
  }
}
