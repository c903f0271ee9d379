import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The functions folder: every child process runs there. */
export const FUNCTIONS = fileURLToPath(new URL('..', import.meta.url));

const STOP_MAX_MS = 3_000;
const OUTPUT_KEPT_CHARACTERS = 4_000;
const children = new Set();
const directories = new Set();

// The last resort, whatever ended the run: nothing may stay behind.
process.on('exit', () => {
  for (const { child } of children) child.kill('SIGKILL');
  for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** A new empty directory that is removed when the run ends. */
export function temporaryDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'ensemble-bench-'));
  directories.add(directory);
  return directory;
}

/**
 * Starts a Node process that ends with the run. `output()` is the end of all it wrote, for error messages; `gone`
 * resolves once it has ended; `stop()` ends it and waits for that.
 */
export function spawnNode(args, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: FUNCTIONS,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-OUTPUT_KEPT_CHARACTERS);
    });
  }
  const gone = new Promise((resolve) => child.once('close', resolve));
  const running = () => child.exitCode === null && child.signalCode === null;
  const started = { child, pid: child.pid, gone, output: () => output, running, stop };
  children.add(started);
  void gone.then(() => children.delete(started));
  return started;

  async function stop() {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MAX_MS);
    if (running()) child.kill('SIGTERM');
    await gone;
    clearTimeout(timer);
  }
}

/** Stops everything that was started. */
export async function stopAll() {
  await Promise.all([...children].map(({ stop }) => stop()));
}
