// The built function as the Firebase CLI sees it. Nothing waits for a program with the event loop stopped: connections that
// Google closes meanwhile would be used again.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { firebaseCommand, firebaseEnvironment } from './firebase-cli.mjs';

/** The secrets that the built function declares, asked in the way `firebase deploy` asks. */
export async function secretsOfFunction() {
  const directory = mkdtempSync(join(tmpdir(), 'ensemble-manifest-'));
  const manifest = join(directory, 'functions.json');
  try {
    const env = {
      ...process.env,
      FUNCTIONS_CONTROL_API: 'true',
      FUNCTIONS_MANIFEST_OUTPUT_PATH: manifest,
      GCLOUD_PROJECT: '',
    };
    const program = 'node_modules/firebase-functions/lib/bin/firebase-functions.js';
    await promisify(execFile)(process.execPath, [program, '.'], { env });
    const { params } = JSON.parse(readFileSync(manifest, 'utf8'));
    return params.filter(({ type }) => type === 'secret').map(({ name }) => name);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Runs `firebase deploy`, which asks nothing: everything was asked before. Returns its exit status. */
export async function firebaseDeploy(project, rest) {
  const [program, ...args] = firebaseCommand(['deploy', '--project', project, '--non-interactive', ...rest]);
  const child = spawn(program, args, { stdio: 'inherit', cwd: resolve('..'), env: firebaseEnvironment() });
  const [status] = await once(child, 'exit');
  return status ?? 1;
}
