// Measures the built service (lib/) beside calling its upstream directly: same machine, same fake upstream, interleaved
// rounds, medians. Loopback only. `--only <name>` runs one measure. The exit code says whether the measuring worked, not
// whether the figures please: one that is not reached is printed as MISS.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/ensure-built.mjs';
import { diskSyncMs } from './disk-sync.mjs';
import { keyRing } from './keys.mjs';
import { ask, atOnce, chat, target } from './load.mjs';
import { burst } from './measures/burst.mjs';
import { disconnect } from './measures/disconnect.mjs';
import { ensemble } from './measures/ensemble.mjs';
import { evaluations } from './measures/evaluations.mjs';
import { firstChunk } from './measures/first-chunk.mjs';
import { latency } from './measures/latency.mjs';
import { start } from './measures/start.mjs';
import { strategies } from './measures/strategies.mjs';
import { streams } from './measures/streams.mjs';
import { throughput } from './measures/throughput.mjs';
import { traces } from './measures/traces.mjs';
import { wide } from './measures/wide.mjs';
import { wideMemory } from './measures/wide-memory.mjs';
import { monotonicMs } from './monotonic.mjs';
import { HAS_PROC } from './process-figures.mjs';
import { firstAnswerMs, seedKeys, serverSettings, spawnServer, startUpstream } from './servers.mjs';
import { figure, renderTable } from './table.mjs';
import { FUNCTIONS, stopAll, temporaryDirectory } from './workspace.mjs';

const MEASURES = {
  latency,
  throughput,
  'first-chunk': firstChunk,
  burst,
  streams,
  disconnect,
  ensemble,
  strategies,
  evaluations,
  traces,
  wide,
  'wide-memory': wideMemory,
  start,
};
const USERS = 700;
const RUN_MAX_MS = 420_000;
const WARM_UP_REQUESTS = 600;

const names = namesAskedFor();
process.chdir(FUNCTIONS);
ensureBuilt();
/** Processes that wanted a core in the last minute; 0 where the system does not say. */
const [busyBefore] = loadavg();
const startedMs = monotonicMs();
const tooLong = setTimeout(() => fail(new Error(`not done after ${RUN_MAX_MS} ms`)), RUN_MAX_MS);
try {
  await run(names);
} catch (error) {
  fail(error);
} finally {
  clearTimeout(tooLong);
  await stopAll();
}

async function run(names) {
  const upstream = await startUpstream();
  const settings = serverSettings(temporaryDirectory(), upstream);
  const authorization = keyRing(await seedKeys(settings, USERS));
  const server = await spawnServer(settings);
  const bench = {
    ...{ upstream, settings, authorization, server, newTag: tagger() },
    direct: target(upstream.origin, () => 'Bearer none'),
    ours: target(server.origin, authorization),
  };
  await firstAnswerMs(server, bench.ours);
  await warmUp(bench);
  describeMachine(settings.TMPDIR);
  const rows = [];
  for (const name of names) {
    process.stderr.write(`${name} …\n`);
    try {
      rows.push(...(await MEASURES[name](bench)));
    } catch (error) {
      throw new Error(`${name} broke: ${error.message}\n${server.output()}`, { cause: error });
    }
  }
  console.log(`\n${renderTable(rows)}\n`);
  const missed = rows.filter(({ ok }) => ok === 'MISS').length;
  console.log(`${missed} missed, ${((monotonicMs() - startedMs) / 1_000).toFixed(0)} s in all.`);
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

/** Lets both sides compile their hot paths, streamed and not. */
async function warmUp({ direct, ours }) {
  for (const to of [direct, ours]) {
    await atOnce(WARM_UP_REQUESTS, 16, (index) => ask(to, chat('fake-instant', { stream: index % 4 === 0 })));
    await atOnce(4, 2, () => ask(to, chat('fake-burst-2000', { stream: true })));
  }
}

function tagger() {
  let count = 0;
  return () => {
    count += 1;
    return `t${count}`;
  };
}

function namesAskedFor() {
  const { only } = parseArgs({ options: { only: { type: 'string', multiple: true } } }).values;
  const unknown = (only ?? []).find((name) => !(name in MEASURES));
  if (unknown === undefined) return only ?? Object.keys(MEASURES);
  console.error(`no measure named ${unknown}: choose from ${Object.keys(MEASURES).join(', ')}`);
  return process.exit(2);
}

function fail(error) {
  console.error(error.message);
  process.exit(1);
}
