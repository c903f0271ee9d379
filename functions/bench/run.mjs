// Measures the built service (lib/) on this machine, against a fake upstream, in interleaved rounds, as medians: from outside
// beside servers that do less and, with `--peers`, gateways of others (docs/performance.md), then its cold start, and then
// single parts of it beside its upstream alone. Loopback only. `--only <name>` runs one measure. The exit code says whether the measuring
// worked, not whether the figures please: one that is not reached is printed as MISS.
import { availableParallelism, loadavg } from 'node:os';
import { ensureBuilt } from '../scripts/ensure-built.mjs';
import { readArguments } from './arguments.mjs';
import { COLD } from './cold-start/cold-start.mjs';
import { COLD_COLUMNS, coldRows } from './cold-start/report.mjs';
import { diskSyncMs } from './disk-sync.mjs';
import { INSIDE, inside } from './inside.mjs';
import { monotonicMs } from './monotonic.mjs';
import { COLUMNS, OUTSIDE, outside } from './outside/outside.mjs';
import { OUTSIDE_COLUMNS, rowsOf } from './outside/report.mjs';
import { HAS_PROC } from './process-figures.mjs';
import { serverSettings, startUpstream } from './servers.mjs';
import { figure, renderTable } from './table.mjs';
import { FUNCTIONS, stopAll, temporaryDirectory } from './workspace.mjs';

const INSIDE_MAX_MS = 1_800_000;
/** Of one measure from outside in one round, and what a run with gateways of others may take of that. */
const OUTSIDE_MAX_MS = 90_000;
const PEERS_MAX = 5;
/** Of one round of cold starts. */
const COLD_MAX_MS = 60_000;

const { fault, ...asked } = readArguments(process.argv.slice(2), [OUTSIDE, COLD, INSIDE].flatMap(Object.keys));
if (fault !== undefined) {
  console.error(fault);
  process.exit(2);
}
process.chdir(FUNCTIONS);
ensureBuilt();
/** Processes that wanted a core in the last minute; 0 where the system does not say. */
const [busyBefore] = loadavg();
const startedMs = monotonicMs();
try {
  await run(asked);
} catch (error) {
  fail(error);
} finally {
  await stopAll();
}

async function run({ names, roundsAsked, withPeers }) {
  const [fromOutside, cold, fromInside] = [OUTSIDE, COLD, INSIDE].map((table) => names.filter((name) => name in table));
  const directory = temporaryDirectory();
  const upstream = await startUpstream();
  const bench = { upstream, settings: serverSettings(directory, upstream), newTag: tagger() };
  describeMachine(directory);
  const outsideMaxMs = roundsAsked * fromOutside.length * OUTSIDE_MAX_MS * (withPeers ? PEERS_MAX : 1);
  const rows = [];
  if (fromOutside.length > 0) {
    const play = () => outside({ ...bench, names: fromOutside, roundsAsked, withPeers });
    const told = { ...(await within(outsideMaxMs, play)), measures: pick(OUTSIDE, fromOutside), columns: COLUMNS };
    rows.push(...report(rowsOf(told), OUTSIDE_COLUMNS));
  }
  for (const name of cold) {
    const taken = await within(roundsAsked * COLD_MAX_MS, () => COLD[name]({ ...bench, roundsAsked }));
    rows.push(...report(coldRows(taken), COLD_COLUMNS));
  }
  if (fromInside.length > 0) {
    rows.push(...report(await within(INSIDE_MAX_MS, () => inside({ ...bench, names: fromInside }))));
  }
  const missed = rows.filter(({ ok }) => ok === 'MISS').length;
  console.log(`${missed} missed, ${((monotonicMs() - startedMs) / 1_000).toFixed(0)} s in all.`);
}

function report(rows, columns) {
  console.log(`\n${renderTable(rows, columns)}\n`);
  return rows;
}

/** Ends the whole run where something hangs. */
async function within(maxMs, work) {
  const tooLong = setTimeout(() => fail(new Error(`not done after ${maxMs} ms`)), maxMs);
  try {
    return await work();
  } finally {
    clearTimeout(tooLong);
  }
}

/** What the figures depend on besides the code. */
function describeMachine(directory) {
  const cores = availableParallelism();
  console.log(`Node ${process.version}, ${cores} cores, shared by the server, the fake upstream and the load.`);
  if (busyBefore > cores / 2)
    console.log(`BUSY: load was ${figure(busyBefore)} before the run; figures suffer, trust ratios.`);
  const syncMs = figure(diskSyncMs(directory), 'ms');
  console.log(`A write to this disk takes ${syncMs} to be safe; a pass-through waits for two.`);
  if (!HAS_PROC) console.log('No /proc here: CPU and memory figures are skipped.');
}

function tagger() {
  let count = 0;
  return () => {
    count += 1;
    return `t${count}`;
  };
}

function pick(table, names) {
  return Object.fromEntries(names.map((name) => [name, table[name]]));
}

function fail(error) {
  console.error(error.message);
  process.exit(1);
}
