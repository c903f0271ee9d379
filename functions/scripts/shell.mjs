// The functions shell of the Firebase CLI over the built functions, with the demo user, on the Firestore emulator that
// FIRESTORE_EMULATOR_HOST names; where it names none, one is started and this again beside it.
import { execFileSync, spawnSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './ensure-built.mjs';
import { emulatorCommand, firebaseCommand, firebaseEnvironment } from './firebase-cli.mjs';

const PROJECT = 'demo-ensemble';
const { values } = parseArgs({ options: { config: { type: 'string', default: '../firebase.json' } } });
const config = resolve(values.config);
const flags = ['--project', PROJECT, '--config', config];
const env = firebaseEnvironment({
  STORE: 'firestore',
  GCLOUD_PROJECT: PROJECT,
  DATA_DIR: resolve(process.env.DATA_DIR || '.data/emulators'),
  // The command wants somebody to be signed in, though nothing but emulators can be reached from a `demo-` project.
  FIREBASE_TOKEN: 'none',
});

ensureBuilt();
// Ctrl-C belongs to the shell, which has its own use for it.
process.on('SIGINT', () => {});
const [program, ...args] = env.FIRESTORE_EMULATOR_HOST ? shellCommand() : besideEmulator();
process.exit(spawnSync(program, args, { cwd: dirname(config), env, stdio: 'inherit' }).status ?? 1);

function shellCommand() {
  const { key } = JSON.parse(execFileSync(process.execPath, ['lib/seed.js'], { env, encoding: 'utf8' }));
  console.log(`
The functions: api (HTTPS), sweep and reconcile (scheduled). To try, with the demo user's key:

  api.get('/health')
  api.get('/v1/models', {headers: {authorization: 'Bearer ${key}'}})
  sweep()

That the CLI cannot sign in does not matter here.
`);
  return firebaseCommand(['functions:shell', ...flags]);
}

function besideEmulator() {
  const again = `node "${resolve('scripts/shell.mjs')}" --config "${config}"`;
  return emulatorCommand(['emulators:exec', ...flags, '--only', 'firestore', again]);
}
