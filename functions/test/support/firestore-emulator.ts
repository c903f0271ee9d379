import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Firestore } from 'firebase-admin/firestore';
import { freePort, listening } from './ports';

/** What tests against Firestore work with. */
export interface FirestoreEmulator {
  /** A project id of its own, so that no test sees the data of another. */
  newProject(): string;
  /** The SDK's own client, to look at documents as they are; the caller terminates it. */
  newClient(projectId: string): Firestore;
}

const HOST_VARIABLE = 'FIRESTORE_EMULATOR_HOST';

/**
 * A suite that needs a Firestore emulator: the one at `FIRESTORE_EMULATOR_HOST`, else `hidane` (on PATH or where cargo
 * puts it), started for this file and killed at its end. Without either the suite is listed as not run, with the
 * reason; with `CI=true` it fails.
 */
export function describeWithFirestore(name: string, suite: (emulator: FirestoreEmulator) => void): void {
  const running = process.env[HOST_VARIABLE];
  const program = running ? undefined : findProgram('hidane');
  if (!running && !program) {
    reportMissing(name);
    return;
  }
  describe(name, () => {
    let child: ChildProcess | undefined;
    beforeAll(async () => {
      if (!program) return;
      const port = await freePort();
      child = spawn(program, ['--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
      await listening(port, child);
      process.env[HOST_VARIABLE] = `127.0.0.1:${port}`;
    });
    afterAll(async () => {
      if (!child) return;
      delete process.env[HOST_VARIABLE];
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    });
    suite({ newProject: () => `demo-${randomUUID()}`, newClient });
  });
}

/** With the default domain said aloud: to find it out the SDK would look for credentials. */
function newClient(projectId: string): Firestore {
  return new Firestore({ projectId, clientOptions: { universeDomain: 'googleapis.com' } });
}

function reportMissing(name: string): void {
  const reason =
    'no Firestore emulator: set FIRESTORE_EMULATOR_HOST or install hidane (cargo install hidane --version 0.6.0 --locked)';
  if (process.env['CI'] === 'true') {
    it(name, () => {
      throw new Error(reason);
    });
    return;
  }
  console.warn(`NOT RUN: ${name}: ${reason}`);
  it.todo(`${name}: not run, ${reason}`);
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), '.cargo', 'bin')];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
