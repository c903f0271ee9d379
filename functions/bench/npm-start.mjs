// How long `npm start` takes, and what of it stays: `node bench/npm-start.mjs` for this checkout, with `--beside <folder>`
// for another one too, e.g. one of before a change, in turn. The first start of each is not counted: it builds lib/.
// Wall time depends on what else the machine does, processor time less so.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ask, chat, target } from './load.mjs';
import { monotonicMs } from './monotonic.mjs';
import { cpuMs, endedChildrenCpuMs, residentMb } from './process-figures.mjs';
import { processesBelow } from './process-tree.mjs';
import { freePort } from './servers.mjs';
import { median } from './stats.mjs';
import { figure } from './table.mjs';
import { FUNCTIONS, temporaryDirectory } from './workspace.mjs';

const POLL_MS = 5;
const UNITS = {
  'first answer of /health': 'ms',
  'first chat completion': 'ms',
  'processor time until then': 'ms',
  processes: '',
  'memory of all (RSS)': 'MB',
};

const { values } = parseArgs({
  options: { beside: { type: 'string' }, starts: { type: 'string', default: '10' } },
});
const checkouts = [values.beside && resolve(values.beside), resolve(FUNCTIONS, '..')].filter(Boolean);
const data = temporaryDirectory();
const runs = new Map(checkouts.map((folder) => [folder, []]));
for (const folder of checkouts) await startOnce(folder);
for (let round = 0; round < Number(values.starts); round += 1) {
  for (const folder of checkouts) runs.get(folder).push(await startOnce(folder));
}
report();

/** Starts and stops it once; resolves with a figure for each row of the table. */
async function startOnce(folder) {
  const port = await freePort();
  const startedMs = monotonicMs();
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), DATA_DIR: join(data, 'store'), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    const key = keyIn(child.stdout);
    const origin = `http://127.0.0.1:${port}`;
    const healthMs = await healthyMs(origin);
    const authorization = `Bearer ${await key}`;
    const { endMs } = await ask(
      target(origin, () => authorization),
      chat('demo-ada'),
    );
    const pids = [child.pid, ...processesBelow(child.pid)];
    const used = [
      healthMs - startedMs,
      endMs - startedMs,
      sum(pids.flatMap((pid) => [cpuMs(pid), endedChildrenCpuMs(pid)])),
      pids.length,
      sum(pids.map(residentMb)),
    ];
    return Object.fromEntries(Object.keys(UNITS).map((name, index) => [name, used[index]]));
  } finally {
    process.kill(-child.pid, 'SIGTERM');
    await once(child, 'close');
  }
}

async function keyIn(stream) {
  for await (const line of createInterface({ input: stream })) {
    const [key] = /sk-\w+/.exec(line) ?? [];
    if (key !== undefined) {
      stream.resume();
      return key;
    }
  }
  throw new Error('npm start ended');
}

async function healthyMs(origin) {
  for (;;) {
    const reply = await fetch(`${origin}/health`).catch(() => undefined);
    await reply?.arrayBuffer();
    if (reply?.ok) return monotonicMs();
    await sleep(POLL_MS);
  }
}

function report() {
  console.log(`${values.starts} starts each, medians; ${availableParallelism()} cores, load ${figure(loadavg()[0])}.`);
  for (const [name, unit] of Object.entries(UNITS)) {
    const medians = checkouts.map((folder) => median(runs.get(folder).map((run) => run[name])));
    const [before, after] = medians;
    const ratio = after === undefined ? '' : `  × ${figure(after / before)}`;
    console.log(`${name.padEnd(28)}${medians.map((value) => figure(value, unit)).join(' → ')}${ratio}`);
  }
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
