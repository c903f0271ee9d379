import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../../scripts/firebase-cli.mjs';
import { freePort } from '../servers.mjs';
import { FUNCTIONS, spawnProgram } from '../workspace.mjs';

const POLL_MS = 20;

/** The address of a Firestore emulator: the one that runs already, or hidane; undefined, and that is said, without either. */
export async function startFirestore() {
  const { FIRESTORE_EMULATOR_HOST: running } = process.env;
  if (running) return running;
  const hidane = findProgram('hidane');
  if (hidane === undefined) {
    console.error('  no Firestore: install hidane (cargo install hidane --version 0.6.0 --locked)');
    return undefined;
  }
  const port = await freePort();
  const emulator = spawnProgram([hidane, '--host', '127.0.0.1', '--port', String(port)], { cwd: FUNCTIONS });
  while (emulator.running() && !(await isOpen(port))) await sleep(POLL_MS);
  if (!emulator.running()) throw new Error(`the Firestore emulator did not start: ${emulator.output()}`);
  return `127.0.0.1:${port}`;
}

/** The settings of a server on an empty project of that emulator. */
export function firestoreProject(host) {
  return { STORE: 'firestore', FIRESTORE_EMULATOR_HOST: host, GCLOUD_PROJECT: `demo-${randomUUID()}` };
}

function isOpen(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
