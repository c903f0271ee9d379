import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The functions folder: every child process runs there. */
export const FUNCTIONS = fileURLToPath(new URL('..', import.meta.url));

const STOP_MAX_MS = 3_000;
/** A program and what it starts are told to end together, where there are groups of processes. */
const GROUPS = process.platform !== 'win32';
const OUTPUT_KEPT_CHARACTERS = 4_000;
const children = new Set();
const directories = new Set();

// The last resort, whatever ended the run: nothing may stay behind.
process.on('exit', () => {
  for (const { kill } of children) kill('SIGKILL');
  for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** A new empty directory that is removed when the run ends. */
export function temporaryDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'ensemble-bench-'));
  directories.add(directory);
  return directory;
}

/** Starts a Node process in the functions folder that ends with the run. */
export function spawnNode(args, env = {}) {
  return spawnProgram([process.execPath, ...args], { cwd: FUNCTIONS, env });
}

/**
 * Starts a program that ends with the run, and all that it starts. `output()` is the end of all they wrote, for error
 * messages; `gone` resolves once it has ended; `stop()` ends it and waits for that.
 */
export function spawnProgram([file, ...args], { cwd, env }) {
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: GROUPS,
  });
  let output = '';
  const keep = (text) => {
    output = (output + text).slice(-OUTPUT_KEPT_CHARACTERS);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep);
  const gone = new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', (error) => resolve(keep(error.message)));
  });
  const running = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const started = { child, pid: child.pid, gone, output: () => output, running, stop, kill };
  children.add(started);
  void gone.then(() => children.delete(started));
  return started;

  async function stop() {
    const timer = setTimeout(() => kill('SIGKILL'), STOP_MAX_MS);
    if (running()) kill('SIGTERM');
    await gone;
    clearTimeout(timer);
  }

  function kill(signal) {
    if (!GROUPS) return child.kill(signal);
    try {
      return process.kill(-child.pid, signal);
    } catch {
      // It has ended.
      return false;
    }
  }
}

/** Stops everything that was started. */
export async function stopAll() {
  await Promise.all([...children].map(({ stop }) => stop()));
}
