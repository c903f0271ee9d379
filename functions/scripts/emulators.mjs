// Runs the built function and the dashboard's pages in the Firebase Emulator Suite, with the demo user of `npm start`.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { announce } from './announce.mjs';
import { DASHBOARD_BUILD, FUNCTION_BUILD, loadSettings } from './builds.mjs';
import { emulatorCommand, firebaseCommand, firebaseEnvironment } from './firebase-cli.mjs';
import { writeConfig } from './hosting.mjs';

/** Projects whose id begins with `demo-` are emulated only: nothing here can reach a real one. */
const PROJECT = 'demo-ensemble';
const START_TIMEOUT_MS = 120_000;
const DEMO_USER = { localId: 'demo', email: 'demo@example.com', password: 'demo-password' };

const { values } = parseArgs({ options: { config: { type: 'string', default: '../firebase.json' } } });
const config = resolve(values.config);
FUNCTION_BUILD.ensure();
loadSettings();
DASHBOARD_BUILD.ensure();
const { emulators } = JSON.parse(readFileSync(config, 'utf8'));
const [auth, functions] = [emulators.auth, emulators.functions].map(({ port }) => `http://127.0.0.1:${port}`);
const hasUi = emulators.ui?.enabled !== false && (await hasUiPages());
const written = writeConfig(config, {
  label: 'emulators',
  origins: { 'connect-src': [auth, functions], 'frame-src': [auth] },
  change: (settings) => hasUi || Object.assign(settings.emulators, { ui: { enabled: false } }),
});
const flags = ['--project', PROJECT, '--config', written, '--only', 'functions,firestore,auth,hosting'];
const [program, ...args] = emulatorCommand(['emulators:start', ...flags]);

const at = (name) => `127.0.0.1:${emulators[name].port}`;
const origin = `http://${at('functions')}/${PROJECT}/us-central1/api`;
const env = firebaseEnvironment({
  STORE: 'firestore',
  GCLOUD_PROJECT: PROJECT,
  FIRESTORE_EMULATOR_HOST: at('firestore'),
  DATA_DIR: resolve(process.env.DATA_DIR || '.data/emulators'),
  PUBLIC_BASE_URL: `${origin}/v1`,
  DASHBOARD_ORIGINS: ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${emulators.hosting.port}`).join(','),
});

// A process group of its own: hidane does not pass signals on, so the whole group gets them.
const ownGroup = process.platform !== 'win32';
const options = { cwd: dirname(config), env, stdio: ['ignore', 'inherit', 'inherit'], detached: ownGroup };
const suite = spawn(program, args, options);
const stop = () => (ownGroup ? process.kill(-suite.pid, 'SIGINT') : suite.kill());
// Without a group of its own the suite is told by the console as this process is, and ends by itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ownGroup && stop());
suite.on('exit', (code, signal) => process.exit(process.exitCode ?? code ?? (signal ? 0 : 1)));

try {
  await answering(`${origin}/v1/models`);
  const { key, speakers } = JSON.parse(execFileSync(process.execPath, ['lib/seed.js'], { env, encoding: 'utf8' }));
  await createDemoUser();
  announce({
    place: ' in the emulators',
    facts: {
      Dashboard: `http://${at('hosting')}/play`,
      ...(hasUi && { 'Emulator UI': `http://127.0.0.1:${emulators.ui?.port ?? 4000}` }),
      Firestore: `${at('firestore')}, Auth: ${at('auth')} with ${DEMO_USER.email} / ${DEMO_USER.password}`,
    },
    baseUrl: `${origin}/v1`,
    key,
    speakers,
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
  stop();
}

/** Resolves once the function itself answers: until it is loaded the emulator says 404 in its name. */
async function answering(url) {
  const giveUpAtMs = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < giveUpAtMs) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.headers.has('x-request-id')) return;
    await pause(200);
  }
  throw new Error(`the function did not answer within ${START_TIMEOUT_MS / 1000} seconds`);
}

/** Makes the user who owns the demo key, unless there is one. */
async function createDemoUser() {
  await fetch(`http://${at('auth')}/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts`, {
    method: 'POST',
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: JSON.stringify(DEMO_USER),
  });
}

/** Downloads the pages of the Emulator UI where they are missing; false where they cannot be had: the CLI would then start nothing. */
function hasUiPages() {
  const { downloadIfNecessary } = createRequire(firebaseCommand([])[1])('../emulator/downloadableEmulators.js');
  return downloadIfNecessary('ui').then(
    () => true,
    ({ message }) => console.error(`There is no Emulator UI: ${message}`),
  );
}
