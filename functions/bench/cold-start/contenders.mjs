import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { target } from '../load.mjs';
import { bundle, spawnServer } from '../servers.mjs';
import { FUNCTIONS, temporaryDirectory } from '../workspace.mjs';
import { firestoreProject, startFirestore } from './firestore.mjs';

const SEED_MAX_MS = 30_000;

/**
 * Who is started: a function of the same framework that answers always the same, the same in a file whose name spares the
 * framework a look at its package (`scripts/bundle.mjs`), and ours on either store, with the key of a user of its own. Ours is the built bundle, started as the platform starts it. Without an emulator there is no Firestore.
 */
export async function contenders({ settings }) {
  const usual = { ...settings, FUNCTION_SOURCE: await helloFolder() };
  const quick = { ...settings, FUNCTION_SOURCE: await bundle('outside/hello-function', settings.TMPDIR) };
  const sqlite = { ...settings, DATA_DIR: join(temporaryDirectory(), 'data') };
  const host = await startFirestore();
  const firestore = host && { ...settings, ...firestoreProject(host) };
  return [
    { name: 'hello', title: 'hello-world function', ...startable(usual, () => 'Bearer none') },
    { name: 'quick', title: '… in a .cjs file', ...startable(quick, () => 'Bearer none') },
    { name: 'sqlite', title: 'ours on SQLite', ...startable(sqlite, ownKey(sqlite)) },
    ...(firestore
      ? [{ name: 'firestore', title: 'ours on Firestore', ...startable(firestore, ownKey(firestore)) }]
      : []),
  ];
}

/** As functions are usually deployed: a package with its `index.js`. */
async function helloFolder() {
  const folder = temporaryDirectory();
  renameSync(await bundle('outside/hello-function', folder), join(folder, 'index.js'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'hello', main: 'index.js' }));
  return folder;
}

/** The demo user's. */
function ownKey(settings) {
  const options = { cwd: FUNCTIONS, env: { ...process.env, ...settings }, encoding: 'utf8', timeout: SEED_MAX_MS };
  const { key } = JSON.parse(execFileSync(process.execPath, ['lib/seed.js'], options));
  return () => `Bearer ${key}`;
}

function startable(settings, authorization) {
  return {
    start: async (nodeArgs) => {
      const server = await spawnServer(settings, nodeArgs);
      return { ...server, to: target(server.origin, authorization) };
    },
  };
}
