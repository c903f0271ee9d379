import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';

const ROOT = join(__dirname, '..', '..', '..');
const REMEMBER_BUILDS = `import('./scripts/builds.mjs').then((builds) => [builds.FUNCTION_BUILD, builds.DASHBOARD_BUILD].map((build) => build.remember()))`;
/** Files that are copied of each package. */
const PACKAGES = {
  functions: ['package.json', 'package-lock.json', 'scripts', 'tsconfig.json', 'lib'],
  dashboard: [
    'package.json',
    'package-lock.json',
    'scripts',
    'index.html',
    '404.html',
    'vite.config.ts',
    'public',
    'src',
    'dist',
  ],
};

/** A built copy of the repository, in a folder with spaces in its name: what is done to it disturbs nobody. */
async function repositoryCopy() {
  const directory = await temporaryDirectory();
  const path = join(directory.path, 'a copy of it');
  const functions = join(path, 'functions');
  const modules = join(functions, 'node_modules');
  mkdirSync(path, { recursive: true });
  for (const part of ['package.json', 'scripts']) cpSync(join(ROOT, part), join(path, part), { recursive: true });
  for (const [name, parts] of Object.entries(PACKAGES)) copyPackage(name, parts, path);
  symlinkSync(join(ROOT, 'functions', 'src'), join(functions, 'src'));
  execFileSync(process.execPath, ['-e', REMEMBER_BUILDS], { cwd: functions });
  return { path, nodeOfAnotherVersion: () => renameNode(join(modules, 'node')), remove: directory.remove };
}

/** One of the packages of the repository, installed. */
function copyPackage(name: string, parts: readonly string[], path: string): void {
  const [from, to] = [join(ROOT, name), join(path, name)];
  const modules = join(to, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const part of parts) cpSync(join(from, part), join(to, part), { recursive: true });
  for (const entry of readdirSync(join(from, 'node_modules'))) {
    if (entry !== '.bin' && entry.startsWith('.')) continue;
    symlinkSync(join(from, 'node_modules', entry), join(modules, entry));
  }
  const lock = readFileSync(join(to, 'package-lock.json'));
  writeFileSync(join(modules, '.installed'), createHash('sha256').update(lock).digest('hex'));
}

/** Gives the package of Node another version, as on a machine whose Node is not the bundled one. */
function renameNode(folder: string): void {
  const description = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  rmSync(folder);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...description, version: '24.0.0' }));
  symlinkSync(process.execPath, join(folder, 'bin', 'node'));
}

/** `npm start` as a person has it in a terminal, in a process group of its own, on the Node that runs the tests. */
async function npmStart(repository: string, { port }: { port?: number } = {}) {
  const ownPort = port ?? (await freePorts('port')).port;
  const { PATH, HOME } = process.env;
  const settings = {
    PORT: String(ownPort),
    DATA_DIR: join(repository, 'data'),
    npm_config_update_notifier: 'false',
  };
  const env = { PATH: `${dirname(process.execPath)}:${PATH}`, HOME, ...settings };
  const child = spawn('npm', ['start'], { cwd: repository, env, detached: true });
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
    /** The command lines of the processes that npm has started, one in another. */
    processes: () => commandsBelow(Number(child.pid)),
    /** Sends a signal to npm alone, the process that was started. */
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    /** Sends a signal to every process of the command, as a terminal does. */
    signalAll: (signal: NodeJS.Signals) => process.kill(group, signal),
    /** Resolves once no process of the command is left. */
    gone: async () => {
      while (isAlive(group)) await pause(50);
    },
    /** Leaves nothing behind. */
    clear: () => {
      if (exists(group)) process.kill(group, 'SIGKILL');
    },
  };
}

function commandsBelow(pid: number): string[] {
  const rows = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' }).trim().split('\n');
  const processes = rows.map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row)?.slice(1) ?? []);
  const below = processes.filter(([parent]) => Number(parent) === pid);
  return below.flatMap(([, child, command = '']) => [command, ...commandsBelow(Number(child))]);
}

/** True if a process of the group runs: one that has ended stays in the list until its parent has asked how. */
function isAlive(group: number): boolean {
  if (!exists(group)) return false;
  const rows = execFileSync('ps', ['-A', '-o', 'pgid=,stat='], { encoding: 'utf8' }).split('\n');
  return rows
    .map((row) => row.trim().split(/\s+/))
    .some(([id, state]) => Number(id) === -group && !state?.startsWith('Z'));
}

function exists(group: number): boolean {
  try {
    return process.kill(group, 0);
  } catch {
    return false;
  }
}

type Repository = Awaited<ReturnType<typeof repositoryCopy>>;
type Started = Awaited<ReturnType<typeof npmStart>>;

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    const settle = (accepted: boolean): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}

/** A shell that npm starts its scripts with may stay for as long as they run. */
function withoutShell(processes: readonly string[]): string[] {
  return processes.filter((command) => !/^\S*sh -c /.test(command));
}

/** Whatever happens to npm, none of the processes that it began is left, and no server. */
describe.each([
  ['on the Node that npm found', () => {}, 1],
  ['on a Node of its own, where npm found another', (repository: Repository) => repository.nodeOfAnotherVersion(), 2],
] as const)('npm start, %s', (_, prepare, processCount) => {
  let repository: Repository;
  let server: Started;
  beforeAll(async () => {
    repository = await repositoryCopy();
    prepare(repository);
  });
  const start = async (): Promise<void> => {
    server = await npmStart(repository.path);
    await server.ready();
  };
  afterEach(() => server.clear());
  afterAll(() => repository.remove());

  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('ends with its server when npm gets %s', async (signal) => {
    await start();
    const commands = withoutShell(server.processes());
    expect(commands).toHaveLength(processCount);
    // What Node is told in `package.json` also holds for a Node that the first one starts.
    for (const command of commands) expect(command).toContain('--max-semi-space-size=8 --v8-pool-size=2');
    server.signal(signal);
    await server.ended;
    await server.gone();
    expect(await listens(server.port)).toBe(false);
    expect(server.output()).toContain('"message":"shut down"');
  });

  it('says in one line that the port is taken, and ends once at a Ctrl-C, which all its processes get', async () => {
    await start();
    const second = await npmStart(repository.path, { port: server.port });
    expect(await second.ended).not.toBe(0);
    const lines = second.output().split('\n');
    expect(lines.filter((line) => !/^(>|npm |$)/.test(line))).toEqual([
      `Cannot listen on 127.0.0.1, port ${server.port}: something else is listening there; choose another PORT`,
    ]);
    await second.gone();
    server.signalAll('SIGINT');
    await server.gone();
    expect(await listens(server.port)).toBe(false);
    expect(server.output()).toContain('"message":"shut down"');
  });
});
