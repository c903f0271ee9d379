import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Firestore } from '@google-cloud/firestore';
import { describeWhere } from './describe-where';
import { freePorts, listening } from './programs';

const HOST_VARIABLE = 'FIRESTORE_EMULATOR_HOST';
const MISSING =
  'no Firestore emulator: set FIRESTORE_EMULATOR_HOST or install hidane (cargo install hidane --version 0.6.0 --locked)';

/**
 * A suite that needs a Firestore emulator: the one at `FIRESTORE_EMULATOR_HOST`, else `hidane` (on PATH or where cargo
 * puts it), started for this file and killed at its end. Each `newProject()` is the id of an empty one.
 */
export function describeWithFirestore(name: string, suite: (emulator: { newProject(): string }) => void): void {
  const running = process.env[HOST_VARIABLE];
  const program = running ? undefined : findProgram('hidane');
  describeWhere(name, running || program ? undefined : MISSING, () => {
    let child: ChildProcess | undefined;
    beforeAll(async () => {
      if (!program) return;
      const { port } = await freePorts('port');
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
    suite({ newProject: () => `demo-${randomUUID()}` });
  });
}

/**
 * The SDK's own client, to look at documents as they are; the caller terminates it. The domain is named, or the SDK
 * looks for credentials to find it out.
 */
export function rawFirestore(projectId: string): Firestore {
  return new Firestore({ projectId, clientOptions: { universeDomain: 'googleapis.com' } });
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
