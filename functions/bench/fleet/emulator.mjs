import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundle, freePort } from '../servers.mjs';
import { FUNCTIONS, spawnNode, spawnProgram } from '../workspace.mjs';

const POLL_MS = 20;
const STARTED_MAX_MS = 5_000;

/**
 * What reads and commits took beside hidane 0.6.0 on 23 November 2026 (two cores, one call at a time), ms: 20 quantiles of
 * 300 each, for machines without an emulator.
 */
const KNOWN = {
  readMs: [
    1.8, 1.85, 1.95, 1.99, 2.04, 2.09, 2.15, 2.19, 2.25, 2.33, 2.42, 2.49, 2.59, 2.72, 2.89, 3.17, 3.43, 3.73, 4.33,
    5.83,
  ],
  commitMs: [
    0.1, 0.77, 1.41, 1.8, 1.99, 2.09, 2.2, 2.27, 2.4, 2.57, 2.68, 2.86, 2.99, 3.3, 3.5, 3.85, 4.24, 4.8, 5.89, 9.39,
  ],
};

/** What a read and a commit of the emulator take, as lists of ms; and whether they were measured just now. */
export async function emulatorLatencies(directory) {
  const running = process.env.FIRESTORE_EMULATOR_HOST;
  if (running !== undefined) return { ...(await measured(running, directory)), isMeasured: true };
  const host = `127.0.0.1:${await freePort()}`;
  const emulator = spawnEmulator(host);
  try {
    if (!(await listens(host, emulator))) return { ...KNOWN, isMeasured: false };
    return { ...(await measured(host, directory)), isMeasured: true };
  } finally {
    await emulator.stop();
  }
}

function spawnEmulator(host) {
  const PATH = [process.env.PATH, join(homedir(), '.cargo', 'bin')].join(delimiter);
  const args = ['hidane', '--host', '127.0.0.1', '--port', host.split(':')[1]];
  return spawnProgram(args, { cwd: FUNCTIONS, env: { PATH } });
}

/** Whether it does; it does not where there is no such program. */
async function listens(host, { running }) {
  for (let waitedMs = 0; waitedMs < STARTED_MAX_MS && running(); waitedMs += POLL_MS) {
    await sleep(POLL_MS);
    const socket = connect(Number(host.split(':')[1]), '127.0.0.1');
    const [isOpen] = await Promise.race([
      once(socket, 'connect').then(() => [true]),
      once(socket, 'close').then(() => [false]),
    ]).catch(() => [false]);
    socket.destroy();
    if (isOpen) return true;
  }
  return false;
}

async function measured(host, directory) {
  const script = await bundle('fleet/emulator-latencies', directory);
  // The SDK is not in the bundle, and is looked for beside it.
  symlinkSync(join(FUNCTIONS, 'node_modules'), join(directory, 'node_modules'), 'junction');
  const program = spawnNode([script], { FIRESTORE_EMULATOR_HOST: host });
  if ((await program.gone) !== 0) throw new Error(program.output());
  return JSON.parse(program.output());
}
