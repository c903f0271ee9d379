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

/** Days that images of older revisions are kept, so that going back to them is possible. The CLI's default is one day. */
const IMAGE_DAYS = 30;

/** The built functions' names with these settings, and the secrets they declare, asked in the way `firebase deploy` asks. */
export async function declaredFunctions(settings) {
  const directory = mkdtempSync(join(tmpdir(), 'ensemble-manifest-'));
  const manifest = join(directory, 'functions.json');
  const asked = { FUNCTIONS_CONTROL_API: 'true', FUNCTIONS_MANIFEST_OUTPUT_PATH: manifest, GCLOUD_PROJECT: '' };
  try {
    const program = 'node_modules/firebase-functions/lib/bin/firebase-functions.js';
    await promisify(execFile)(process.execPath, [program, '.'], { env: { ...process.env, ...settings, ...asked } });
    const { endpoints, params } = JSON.parse(readFileSync(manifest, 'utf8'));
    const secrets = params.filter(({ type }) => type === 'secret').map(({ name }) => name);
    return { names: Object.keys(endpoints), secrets };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * Deploys the targets: the database before the functions that follow its documents. What is ours alone is deployed with --force,
 * which asks nothing; of the database it would delete indexes of others as well. Images of old revisions are deleted after a
 * month then, unless the registry had a policy already.
 */
export async function deployTargets(google, { project, region, targets, words }) {
  if (targets.length === 0) throw new Error('there is nothing left to deploy');
  const images = `/v1/projects/${project}/locations/${region}/repositories/gcf-artifacts`;
  const repository = () => google.get('artifactRegistryDomain', images);
  const hadPolicy = hasPolicy(await repository());
  const isShared = (target) => /^firestore(:|$)/.test(target);
  const own = targets.filter((target) => !isShared(target));
  const deploy = (only, ...more) =>
    firebase(['deploy', '--project', project, '--non-interactive', '--only', only, ...more]);
  if (own.length < targets.length) await deploy(targets.filter(isShared).join(), ...words);
  if (own.length > 0) await deploy(own.join(), '--force', ...words);
  const after = await repository();
  if (after && !hadPolicy)
    await google.send('artifactRegistryDomain', `PATCH ${images}?updateMask=cleanupPolicies`, withPolicy(after));
}

function hasPolicy(repository) {
  const isOptedOut = repository?.labels?.['firebase-functions-cleanup-opted-out'] !== undefined;
  return isOptedOut || Object.keys(repository?.cleanupPolicies ?? {}).length > 0;
}

function withPolicy({ name, cleanupPolicies }) {
  const id = 'firebase-functions-cleanup';
  const condition = { tagState: 'ANY', olderThan: `${IMAGE_DAYS * 24 * 3600}s` };
  return { name, cleanupPolicies: { ...cleanupPolicies, [id]: { id, condition, action: 'DELETE' } } };
}

async function firebase(words) {
  const [program, ...args] = firebaseCommand(words);
  const child = spawn(program, args, { stdio: 'inherit', cwd: resolve('..'), env: firebaseEnvironment() });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error('firebase deploy failed; its words are above');
}
