import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';

const ROOT = join(__dirname, '..', '..', '..');

/** A copy of the repository in which `npm start` builds without disturbing tests that run what is in `lib/`. */
export async function repositoryCopy() {
  const { path, remove } = await temporaryDirectory();
  const functions = join(path, 'functions');
  const modules = join(functions, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const part of ['package.json', 'scripts']) cpSync(join(ROOT, part), join(path, part), { recursive: true });
  for (const part of ['package.json', 'package-lock.json', 'scripts', 'tsconfig.json']) {
    cpSync(join(ROOT, 'functions', part), join(functions, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'functions', 'src'), join(functions, 'src'));
  const installed = join(ROOT, 'functions', 'node_modules');
  for (const name of readdirSync(installed)) {
    if (name !== '.installed') symlinkSync(join(installed, name), join(modules, name));
  }
  const lock = readFileSync(join(functions, 'package-lock.json'));
  writeFileSync(join(modules, '.installed'), createHash('sha256').update(lock).digest('hex'));
  return { path, remove };
}

/** `npm start` as a person has it in a terminal: in a process group of its own. */
export async function npmStart(repository: string, port?: number) {
  const ownPort = port ?? (await freePorts('port')).port;
  const { PATH, HOME } = process.env;
  const settings = { PORT: String(ownPort), DATA_DIR: join(repository, 'data'), npm_config_update_notifier: 'false' };
  const child = spawn('npm', ['start'], { cwd: repository, env: { PATH, HOME, ...settings }, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const group = -Number(child.pid);
  return {
    port: ownPort,
    output: () => output,
    /** The exit code of npm; null when a signal ended it. */
    ended,
    /** Resolves once a person can begin. */
    ready: () =>
      new Promise<void>((resolve) => {
        child.stdout.on('data', () => output.includes('\ncurl ') && resolve());
      }),
    /** Sends a signal to npm alone, the process that was started. */
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    /** Sends a signal to every process of the command, as a terminal does. */
    signalAll: (signal: NodeJS.Signals) => process.kill(group, signal),
    /** Resolves once no process of the command is left. */
    gone: async () => {
      while (exists(group)) await pause(20);
    },
    /** Leaves nothing behind. */
    clear: () => {
      if (exists(group)) process.kill(group, 'SIGKILL');
    },
  };
}

function exists(group: number): boolean {
  try {
    return process.kill(group, 0);
  } catch {
    return false;
  }
}
