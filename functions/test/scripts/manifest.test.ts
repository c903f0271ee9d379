import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ranProgram } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';

/** The built function as `firebase deploy` sees it, asked by the same program of the SDK. */

const PROGRAM = 'node_modules/firebase-functions/lib/bin/firebase-functions.js';

interface Manifest {
  readonly endpoints: Record<string, Record<string, unknown>>;
  readonly params?: readonly { readonly name: string; readonly type: string }[];
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

describe('the functions manifest', () => {
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
