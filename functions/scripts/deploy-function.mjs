// The built function as the Firebase CLI sees it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { firebaseCommand, firebaseEnvironment } from './firebase-cli.mjs';

/** The secrets that the built function declares, asked in the way `firebase deploy` asks. */
export function secretsOfFunction() {
  const directory = mkdtempSync(join(tmpdir(), 'ensemble-manifest-'));
  const manifest = join(directory, 'functions.json');
  try {
    const env = {
      ...process.env,
      FUNCTIONS_CONTROL_API: 'true',
      FUNCTIONS_MANIFEST_OUTPUT_PATH: manifest,
      GCLOUD_PROJECT: '',
    };
    execFileSync(process.execPath, ['node_modules/firebase-functions/lib/bin/firebase-functions.js', '.'], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const { params } = JSON.parse(readFileSync(manifest, 'utf8'));
    return params.filter(({ type }) => type === 'secret').map(({ name }) => name);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Runs `firebase deploy`, which asks nothing: everything was asked before. Returns its exit status. */
export function firebaseDeploy(project, rest) {
  const [program, ...args] = firebaseCommand(['deploy', '--project', project, '--non-interactive', ...rest]);
  return spawnSync(program, args, { stdio: 'inherit', cwd: resolve('..'), env: firebaseEnvironment() }).status ?? 1;
}
