import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ranProgram } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';

/** The built function as `firebase deploy` sees it, asked by the same program of the SDK. */

const PROGRAM = 'node_modules/firebase-functions/lib/bin/firebase-functions.js';

interface Manifest {
  readonly endpoints: Record<string, Record<string, unknown>>;
  readonly params?: readonly { readonly name: string; readonly type: string }[];
  readonly requiredAPIs: readonly { readonly api: string }[];
}

async function discover(env: Record<string, string> = {}): Promise<Manifest> {
  const directory = await temporaryDirectory();
  const file = join(directory.path, 'functions.json');
  const asked = { FUNCTIONS_CONTROL_API: 'true', FUNCTIONS_MANIFEST_OUTPUT_PATH: file };
  const { output } = await ranProgram([PROGRAM, '.'], { PATH: process.env['PATH'], ...asked, ...env });
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  } catch {
    throw new Error(`the function could not be loaded without settings and secrets: ${output}`);
  } finally {
    await directory.remove();
  }
}

/** Those options of an endpoint that are set. */
function setOptions(endpoint: Record<string, unknown> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(endpoint ?? {}).filter(([, value]) => value !== null));
}

const COMMON = { platform: 'gcfv2', availableMemoryMb: 512, labels: {} };

describe('the functions manifest', () => {
  it('has a public `api` with the secrets, and a sweep and a reconciliation without', async () => {
    const { endpoints, requiredAPIs } = await discover();
    expect(setOptions(endpoints['api'])).toEqual({
      ...COMMON,
      ...{ entryPoint: 'api', httpsTrigger: { invoker: ['public'] }, timeoutSeconds: 540, concurrency: 80 },
      ...{ minInstances: 0, maxInstances: 20 },
      secretEnvironmentVariables: [
        ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'ENDPOINT_KEYS', 'KEY_PEPPER'],
        'ROUTER_KEY_SECRET',
      ].map((key) => ({ key })),
    });
    const scheduled = { ...COMMON, maxInstances: 1 };
    expect(setOptions(endpoints['sweep'])).toEqual({
      ...{ ...scheduled, entryPoint: 'sweep', timeoutSeconds: 120 },
      scheduleTrigger: { schedule: 'every 2 minutes', retryConfig: {} },
    });
    expect(setOptions(endpoints['reconcile'])).toEqual({
      ...{ ...scheduled, entryPoint: 'reconcile', timeoutSeconds: 1800 },
      scheduleTrigger: { schedule: 'every day 03:30', timeZone: 'Etc/UTC', retryConfig: {} },
    });
    expect(requiredAPIs.map(({ api }) => api)).toEqual(['cloudscheduler.googleapis.com']);
  });

  it('follows the subscriptions of Stripe where the settings say in which collection its customers are', async () => {
    const { endpoints } = await discover({ STRIPE_CUSTOMERS: 'customers', SERVICE_ACCOUNT: 'ensemble-api@' });
    expect(setOptions(endpoints['subscriptions'])).toEqual({
      ...{ ...COMMON, entryPoint: 'subscriptions', timeoutSeconds: 60, maxInstances: 5 },
      serviceAccountEmail: 'ensemble-api@',
      eventTrigger: {
        eventType: 'google.cloud.firestore.document.v1.written',
        eventFilters: { database: '(default)', namespace: '(default)' },
        eventFilterPathPatterns: { document: 'customers/{userId}/subscriptions/{subscriptionId}' },
        retry: true,
      },
    });
  });

  it('wants no secrets from the emulators of a project that has none', async () => {
    const { endpoints, params } = await discover({ GCLOUD_PROJECT: 'demo-ensemble' });
    expect([endpoints['api']?.['secretEnvironmentVariables'] ?? [], params]).toEqual([[], undefined]);
  });

  it('is told without SQLite, which the Node on PATH may not have, and which the embedded store asks for', async () => {
    const { endpoints } = await discover({ NODE_OPTIONS: '--no-experimental-sqlite' });
    expect(Object.keys(endpoints)).toContain('api');
    const directory = await temporaryDirectory();
    const env = { DATA_DIR: directory.path, KEY_PEPPER: 'pepper' };
    const { output } = await ranProgram(['--no-experimental-sqlite', 'lib/admin.js', 'users', 'list'], env);
    await directory.remove();
    expect(output).toContain('the embedded store needs the SQLite of Node 24; this is v');
  });

  it('is refused in words on a Node that is too old', async () => {
    const asOld = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); require('./lib/index.cjs')`;
    const { output } = await ranProgram(['-e', asOld], {});
    expect(output).toContain('Deploying needs Node 22 or newer on PATH, and this is Node 20.20.2.');
    expect(output).not.toContain('    at ');
  });
});
