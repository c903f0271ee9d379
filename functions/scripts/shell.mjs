// The functions shell of the Firebase CLI over the built functions, with a Firestore emulator and the demo user. The
// emulator of a running `npm run emulators` is used; where there is none, this starts one and runs itself again beside it.
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createConnection } from 'node:net';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './ensure-built.mjs';
import { emulatorCommand, firebaseCommand, firebaseEnvironment } from './firebase-cli.mjs';

const PROJECT = 'demo-ensemble';
const { values } = parseArgs({ options: { config: { type: 'string', default: '../firebase.json' } } });
const config = resolve(values.config);
const { emulators } = JSON.parse(readFileSync(config, 'utf8'));
const env = firebaseEnvironment({
  STORE: 'firestore',
  GCLOUD_PROJECT: PROJECT,
  FIRESTORE_EMULATOR_HOST: `127.0.0.1:${emulators.firestore.port}`,
  DATA_DIR: resolve(process.env.DATA_DIR || '.data/emulators'),
});

ensureBuilt();
// Ctrl-C belongs to the shell, which has its own use for it.
process.on('SIGINT', () => {});
process.exit((await isListening(emulators.firestore.port)) ? await openShell() : besideEmulator());

function openShell() {
  const { key } = JSON.parse(execFileSync(process.execPath, ['lib/seed.js'], { env, encoding: 'utf8' }));
  console.log(`
The functions: api (HTTPS), sweep and reconcile (scheduled). To try, with the demo user's key:

  api.get('/health')
  api.get('/v1/models', {headers: {authorization: 'Bearer ${key}'}})
  sweep()
`);
  return functionsShell();
}

/**
 * The command `functions:shell` without what it does first: it would have somebody signed in, though nothing but emulators
 * can be reached from a project whose id begins with `demo-`.
 */
async function functionsShell() {
  const [, cli] = firebaseCommand([]);
  const ofTools = createRequire(cli);
  // Its logger writes for its own program only.
  Object.assign(process.env, env, { IS_FIREBASE_CLI: 'true' });
  ofTools('../../lib/logger.js').useConsoleLoggers();
  const { requirePermissions } = ofTools('../../lib/requirePermissions.js');
  const { command } = ofTools('../../lib/commands/functions-shell.js');
  command.befores = command.befores.filter(({ fn }) => fn !== requirePermissions);
  process.chdir(dirname(config));
  await command.runner()({ project: PROJECT });
  return 0;
}

function besideEmulator() {
  const flags = ['--project', PROJECT, '--config', config, '--only', 'firestore'];
  const again = `node scripts/shell.mjs --config "${config}"`;
  const [program, ...args] = emulatorCommand(['emulators:exec', ...flags, again]);
  return spawnSync(program, args, { env, stdio: 'inherit' }).status ?? 1;
}

async function isListening(port) {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
