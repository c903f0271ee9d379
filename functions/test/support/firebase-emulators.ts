import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportMissing } from './firebase-cli';

/** `npm run emulators`, running. */
export interface FirebaseEmulators {
  /** Everything written so far; ends with the lines that tell how to use it. */
  output(): string;
  /** `http://127.0.0.1:<port>` of the Auth emulator. */
  readonly authUrl: string;
}

const FUNCTIONS = join(__dirname, '..', '..');
const ROOT = join(FUNCTIONS, '..');
const SCRIPT = join(FUNCTIONS, 'scripts', 'emulators.mjs');
const START_TIMEOUT_MS = 100_000;
const STOP_TIMEOUT_MS = 15_000;
const EMULATORS = ['functions', 'firestore', 'auth', 'hub', 'logging', 'eventarc', 'tasks'] as const;

/**
 * A suite on `npm run emulators`, with ports and data of its own. Where that cannot run (no Firebase CLI in tools/, no
 * Firestore emulator) the suite is listed as not run, with the reason; with `CI=true` it fails.
 */
export function describeWithEmulators(name: string, suite: (current: () => FirebaseEmulators) => void): void {
  const check = spawnSync(process.execPath, [SCRIPT, '--check'], { cwd: FUNCTIONS, encoding: 'utf8' });
  if (check.status !== 0) {
    reportMissing(name, check.stderr.trim());
    return;
  }
  describe(name, () => {
    let started: Started | undefined;
    beforeAll(async () => {
      started = await start();
    }, START_TIMEOUT_MS + STOP_TIMEOUT_MS);
    afterAll(() => started?.stop(), 2 * STOP_TIMEOUT_MS);
    suite(() => {
      if (!started) throw new Error('the emulators are not running');
      return started;
    });
  });
}

interface Started extends FirebaseEmulators {
  stop(): Promise<void>;
}

async function start(): Promise<Started> {
  const directory = mkdtempSync(join(tmpdir(), 'ensemble-emulators-'));
  const ports = await freePorts();
  const port = (name: string): number => ports.get(name) ?? 0;
  const config = writeProject(directory, ports);
  const child = spawn(process.execPath, [SCRIPT, '--config', config], {
    cwd: FUNCTIONS,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: directory },
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      written += text;
    });
  }
  const stop = async (): Promise<void> => {
    const pids = await emulatorPids(port('hub'));
    await end(child);
    for (const pid of pids) killIfAlive(pid);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await ready(child, () => written);
  } catch (error) {
    await stop();
    throw error;
  }
  return { output: () => written, authUrl: `http://127.0.0.1:${port('auth')}`, stop };
}

/** A Firebase project like ours on other ports; the configuration must lie beside the function's folder. */
function writeProject(directory: string, ports: ReadonlyMap<string, number>): string {
  const emulators = Object.fromEntries([...ports].map(([name, port]) => [name, { port }]));
  const firestore = { rules: 'firestore.rules', indexes: 'firestore.indexes.json' };
  const { websocket } = emulators;
  const settings = {
    functions: [{ source: 'functions', codebase: 'default', runtime: 'nodejs24' }],
    firestore,
    emulators: {
      ...emulators,
      firestore: { ...emulators['firestore'], websocketPort: websocket?.port },
      ui: { enabled: false },
    },
  };
  symlinkSync(FUNCTIONS, join(directory, 'functions'));
  for (const file of Object.values(firestore)) copyFileSync(join(ROOT, file), join(directory, file));
  const file = join(directory, 'firebase.json');
  writeFileSync(file, JSON.stringify(settings));
  return file;
}

/** Resolves once the last line, the `curl` one, was printed. */
function ready(child: ChildProcess, written: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${why}:\n${written()}`));
    const timer = setTimeout(() => fail('the emulators were not ready in time'), START_TIMEOUT_MS);
    child.once('exit', (code) => fail(`the emulators ended with code ${code}`));
    child.stdout?.on('data', () => {
      if (!/^curl .+\n/m.test(written())) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Asks it to end as Ctrl-C does, and ends it by force when it does not. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

/** The programs that the suite runs beside itself, e.g. the Firestore emulator; none when it is not up. */
async function emulatorPids(hubPort: number): Promise<number[]> {
  const response = await fetch(`http://127.0.0.1:${hubPort}/emulators`).catch(() => undefined);
  const running = (await response?.json()) as Record<string, { pid?: number }> | undefined;
  return Object.values(running ?? {}).flatMap(({ pid }) => pid ?? []);
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, as it should.
  }
}

async function freePorts(): Promise<Map<string, number>> {
  const names = [...EMULATORS, 'websocket'];
  const servers = names.map(() => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return new Map(names.map((name, index) => [name, ports[index] ?? 0]));
}
