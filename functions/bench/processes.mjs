// Programs that the bench starts, and the CPU time and memory of each with all that it has started.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the function, in which programs run that name no other. */
export const FUNCTIONS = fileURLToPath(new URL('..', import.meta.url));
/** True if this system tells CPU time and memory of processes; elsewhere those figures are NaN. */
const HAS_PROC = existsSync('/proc/self/stat');
const TICK_MS = 10;
const STOP_MAX_MS = 3_000;
const OUTPUT_KEPT_CHARACTERS = 4_000;
const running = new Set();
const directories = new Set();

// Whatever ends the run: nothing may stay behind.
process.on('exit', () => {
  for (const { kill } of running) kill('SIGKILL');
  for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** Milliseconds of the system's monotonic clock, which is the same in every process. */
export function monotonicMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Creates an empty directory that is removed when the run ends. */
export function temporaryDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'ensemble-bench-'));
  directories.add(directory);
  return directory;
}

/** Finds a port of 127.0.0.1 that nothing listens on. */
export async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Starts a program that ends with the run, and all that it starts; `output` is the end of what they wrote. */
export function start([file, ...args], { cwd = FUNCTIONS, env = {} } = {}) {
  const startedMs = monotonicMs();
  const options = { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true };
  const child = spawn(file, args, options);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-OUTPUT_KEPT_CHARACTERS);
    });
  }
  const gone = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const kill = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended.
    }
  };
  const stop = async () => {
    const timer = setTimeout(() => kill('SIGKILL'), STOP_MAX_MS);
    if (isRunning()) kill('SIGTERM');
    await gone;
    clearTimeout(timer);
  };
  const program = { pid: child.pid, child, startedMs, isRunning, stop, kill, output: () => output };
  running.add(program);
  void gone.then(() => running.delete(program));
  return program;
}

/** Starts a program of Node. */
export function startNode(args, options) {
  return start([process.execPath, ...args], options);
}

/** CPU time and memory of a process and of those below it; memory that two of them share counts twice. */
export function treeOf(pid) {
  const pids = HAS_PROC ? [pid, ...processesBelow(pid)] : [];
  const sum = (figure) => (HAS_PROC ? pids.reduce((total, one) => total + figure(one), 0) : Number.NaN);
  return {
    cpuMs: () => sum(cpuMs),
    residentMib: () => sum((one) => memoryMib(one, 'VmRSS')),
    peakMib: () => sum((one) => memoryMib(one, 'VmHWM')),
    forgetPeak: () => pids.forEach((one) => void writeFileSync(`/proc/${one}/clear_refs`, '5')),
  };
}

function processesBelow(pid) {
  const rows = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent) => pairs.filter(([of]) => of === parent).flatMap(([, child]) => [child, ...below(child)]);
  return below(pid);
}

/** User and system time, those of ended children included: fields 14 to 17 of the line. */
function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the command stands in parentheses and may hold blanks; behind it is field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks), 0) * TICK_MS;
}

function memoryMib(pid, field) {
  const [, kib] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1_024;
}
