// The built function as the Firebase CLI sees it. Nothing waits for a program with the event loop stopped: connections that
// Google closes meanwhile would be used again.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { firebaseCommand, firebaseEnvironment } from './firebase-cli.mjs';

/** The name by which the Firebase CLI tells our functions from those of other apps in the project. */
export const [{ codebase: CODEBASE }] = JSON.parse(readFileSync('../firebase.json', 'utf8')).functions;

/** The built functions' names with these settings, and the secrets they declare, asked in the way `firebase deploy` asks. */
export async function declaredFunctions(settings) {
  const directory = mkdtempSync(join(tmpdir(), 'ensemble-manifest-'));
  const manifest = join(directory, 'functions.json');
  try {
    const env = {
      ...process.env,
      ...settings,
      FUNCTIONS_CONTROL_API: 'true',
      FUNCTIONS_MANIFEST_OUTPUT_PATH: manifest,
      GCLOUD_PROJECT: '',
    };
    const program = 'node_modules/firebase-functions/lib/bin/firebase-functions.js';
    await promisify(execFile)(process.execPath, [program, '.'], { env });
    const { endpoints, params } = JSON.parse(readFileSync(manifest, 'utf8'));
    const secrets = params.filter(({ type }) => type === 'secret').map(({ name }) => name);
    return { names: Object.keys(endpoints), secrets };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * What is deployed by each call of `firebase deploy`. It wants to be asked before instances are kept ready and before events are
 * tried again, or --force, which deletes indexes of others as well: it is given to the call for our own codebase alone.
 */
export function deploySteps(targets, { MIN_INSTANCES = 0, STRIPE_CUSTOMERS = '' }) {
  const isForced = targets.some(isOfFunctions) && (Number(MIN_INSTANCES) > 0 || STRIPE_CUSTOMERS !== '');
  if (!isForced) return [['--only', targets.join(',')]];
  const others = targets.filter((target) => /^firestore(:|$)/.test(target));
  const forced = targets
    .filter((target) => !others.includes(target))
    .map((target) => (target === 'functions' ? `functions:${CODEBASE}` : target));
  // The database is there before the function that follows its documents.
  return [...(others.length > 0 ? [['--only', others.join(',')]] : []), ['--only', forced.join(','), '--force']];
}

function isOfFunctions(target) {
  return /^functions(:|$)/.test(target);
}

/** Runs `firebase deploy`, which asks nothing: everything was asked before. Returns its exit status. */
export async function firebaseDeploy(project, rest) {
  const [program, ...args] = firebaseCommand(['deploy', '--project', project, '--non-interactive', ...rest]);
  const child = spawn(program, args, { stdio: 'inherit', cwd: resolve('..'), env: firebaseEnvironment() });
  const [status] = await once(child, 'exit');
  return status ?? 1;
}
