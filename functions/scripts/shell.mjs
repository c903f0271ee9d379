// The functions shell of the Firebase CLI over the built functions, beside running emulators (`npm run emulators`).
import { spawnSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FUNCTION_BUILD } from './builds.mjs';
import { firebaseCommand, firebaseEnvironment } from './firebase-cli.mjs';

const { values } = parseArgs({ options: { config: { type: 'string', default: '../firebase.json' } } });
const config = resolve(values.config);
const [program, ...args] = firebaseCommand(['functions:shell', '--project', 'demo-ensemble', '--config', config]);
// The command wants somebody to be signed in, though nothing but emulators can be reached from a `demo-` project.
const env = firebaseEnvironment({
  ...{ STORE: 'firestore', FIREBASE_TOKEN: 'none', DATA_DIR: resolve(process.env.DATA_DIR || '.data/emulators') },
});

FUNCTION_BUILD.ensure();
// Ctrl-C belongs to the shell, which has its own use for it.
process.on('SIGINT', () => {});
process.exit(spawnSync(program, args, { cwd: dirname(config), env, stdio: 'inherit' }).status ?? 1);
