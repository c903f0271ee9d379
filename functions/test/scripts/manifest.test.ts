import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePorts } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';

/** What `firebase deploy` learns of the built function, asked as it asks: by the SDK's own discovery server. */

const FUNCTIONS = join(__dirname, '..', '..');

interface Manifest {
  readonly endpoints: Record<string, Record<string, unknown>>;
  readonly params?: readonly { readonly name: string; readonly type: string }[];
  readonly requiredAPIs: readonly { readonly api: string }[];
}

/** The server ends only once its connections have. */
const NO_KEEP_ALIVE = { headers: { connection: 'close' } };

async function discover(env: Record<string, string> = {}): Promise<Manifest> {
  const { port } = await freePorts('port');
  const program = join(FUNCTIONS, 'node_modules', '.bin', 'firebase-functions');
  const child = spawn(process.execPath, [program, '.'], {
    cwd: FUNCTIONS,
    env: { PATH: process.env['PATH'], FUNCTIONS_CONTROL_API: 'true', PORT: String(port), ...env },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  try {
    const response = await answer(`http://127.0.0.1:${port}/__/functions.yaml`, child);
    return (await response.json()) as Manifest;
  } finally {
    await fetch(`http://127.0.0.1:${port}/__/quitquitquit`, NO_KEEP_ALIVE).catch(() => child.kill('SIGKILL'));
    await ended;
  }
}

async function answer(url: string, child: ChildProcess): Promise<Response> {
  for (;;) {
    const response = await fetch(url, NO_KEEP_ALIVE).catch(() => undefined);
    if (response) return response;
    if (child.exitCode !== null) throw new Error('the function could not be loaded without settings and secrets');
  }
}

function runNode(args: readonly string[], env: Record<string, string>) {
  return spawnSync(process.execPath, args, { cwd: FUNCTIONS, env, encoding: 'utf8' });
}

/** Those options of an endpoint that are set. */
function setOptions(endpoint: Record<string, unknown> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(endpoint ?? {}).filter(([, value]) => value !== null));
}

describe('the functions manifest', () => {
  let manifest: Manifest;
  beforeAll(async () => {
    manifest = await discover();
  });

  it('follows the subscriptions of Stripe where the settings say in which collection its customers are', async () => {
    const { endpoints } = await discover({ STRIPE_CUSTOMERS: 'customers', SERVICE_ACCOUNT: 'ensemble-api@' });
    expect(Object.keys(endpoints).sort()).toEqual(['api', 'reconcile', 'subscriptions', 'sweep']);
    expect(setOptions(endpoints['subscriptions'])).toEqual({
      entryPoint: 'subscriptions',
      platform: 'gcfv2',
      timeoutSeconds: 60,
      availableMemoryMb: 512,
      maxInstances: 5,
      serviceAccountEmail: 'ensemble-api@',
      labels: {},
      eventTrigger: {
        eventType: 'google.cloud.firestore.document.v1.written',
        eventFilters: { database: '(default)', namespace: '(default)' },
        eventFilterPathPatterns: { document: 'customers/{userId}/subscriptions/{subscriptionId}' },
        retry: true,
      },
    });
  });

  it('has a public `api` with 540 seconds, 80 requests at a time and the secrets', () => {
    expect(setOptions(manifest.endpoints['api'])).toEqual({
      entryPoint: 'api',
      platform: 'gcfv2',
      httpsTrigger: { invoker: ['public'] },
      timeoutSeconds: 540,
      concurrency: 80,
      availableMemoryMb: 512,
      minInstances: 0,
      maxInstances: 20,
      labels: {},
      secretEnvironmentVariables: [
        { key: 'OPENAI_API_KEY' },
        { key: 'ANTHROPIC_API_KEY' },
        { key: 'GEMINI_API_KEY' },
        { key: 'ENDPOINT_KEYS' },
        { key: 'KEY_PEPPER' },
        { key: 'ROUTER_KEY_SECRET' },
      ],
    });
  });

  it('sweeps every two minutes and reconciles once a day, without any secret', () => {
    const common = { platform: 'gcfv2', availableMemoryMb: 512, maxInstances: 1, labels: {} };
    expect(setOptions(manifest.endpoints['sweep'])).toEqual({
      ...common,
      entryPoint: 'sweep',
      timeoutSeconds: 120,
      scheduleTrigger: { schedule: 'every 2 minutes', retryConfig: {} },
    });
    expect(setOptions(manifest.endpoints['reconcile'])).toEqual({
      ...common,
      entryPoint: 'reconcile',
      timeoutSeconds: 1800,
      scheduleTrigger: { schedule: 'every day 03:30', timeZone: 'Etc/UTC', retryConfig: {} },
    });
    expect(manifest.requiredAPIs.map(({ api }) => api)).toEqual(['cloudscheduler.googleapis.com']);
  });

  it('wants no secrets from the emulators of a project that has none', async () => {
    const { endpoints, params } = await discover({ GCLOUD_PROJECT: 'demo-ensemble' });
    expect(endpoints['api']?.['secretEnvironmentVariables'] ?? []).toEqual([]);
    expect(params).toBeUndefined();
  });

  it('is told without SQLite, which the Node on PATH may not have, and which the embedded store asks for', async () => {
    const { endpoints } = await discover({ NODE_OPTIONS: '--no-experimental-sqlite' });
    expect(Object.keys(endpoints)).toContain('api');
    const directory = await temporaryDirectory();
    const env = { DATA_DIR: directory.path, KEY_PEPPER: 'pepper' };
    const { stderr } = runNode(['--no-experimental-sqlite', 'lib/admin.js', 'keys', 'list', '--user', 'alice'], env);
    await directory.remove();
    expect(stderr).toContain('the embedded store needs the SQLite of Node 24; this is v');
  });

  it('is refused in words on a Node that is too old', () => {
    const asOld = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); require('./lib/index.cjs')`;
    const { stderr } = runNode(['-e', asOld], {});
    expect(stderr).toContain('Deploying needs Node 22 or newer on PATH, and this is Node 20.20.2.');
    expect(stderr).not.toContain('    at ');
  });
});
