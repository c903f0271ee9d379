import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { target } from '../load.mjs';
import { monotonicMs } from '../monotonic.mjs';
import { cpuMs, residentMb } from '../process-figures.mjs';
import { rounds } from '../rounds.mjs';
import { firstAnswerMs, spawnServer, startUpstream } from '../servers.mjs';
import { median } from '../stats.mjs';
import { atMost, figure } from '../table.mjs';
import { temporaryDirectory } from '../workspace.mjs';

const START_MAX_MS = 1_100;
const IDLE_MS = 2_000;
const IDLE_RSS_MAX_MB = 110;

/**
 * From spawning a server to the end of its first answer, and its memory when it is then left alone. The first start of a
 * run finds no compile cache, later ones what the first left; the same again with `NODE_COMPILE_CACHE` set, which an
 * operator may do.
 */
export async function start({ settings, authorization }) {
  const plain = { ...settings, TMPDIR: temporaryDirectory(), NODE_COMPILE_CACHE: undefined };
  const cached = { ...plain, TMPDIR: temporaryDirectory(), NODE_COMPILE_CACHE: join(temporaryDirectory(), 'cache') };
  const once = (env, idleMs) => startOnce({ env, idleMs, authorization });
  const first = { plain: await once(plain, 0), cached: await once(cached, 0) };
  const later = await rounds(5, 20_000, async (round) => ({
    upstream: await upstreamOnce(),
    plain: await once(plain, round < 3 ? IDLE_MS : 0),
    cached: await once(cached, 0),
  }));
  const plainRuns = later.map(({ plain }) => plain);
  const cachedRuns = later.map(({ cached }) => cached);
  const upstreamRuns = later.map(({ upstream }) => upstream);
  const idleMb = median(plainRuns.map(({ idleMb }) => idleMb).filter((mb) => mb !== undefined));
  const ownCache = cacheState(join(plain.TMPDIR, 'node-compile-cache'));
  const setCache = cacheState(cached.NODE_COMPILE_CACHE);
  return [
    {
      ...startRow('start to first answer: first start (compile cache: none yet)', [first.plain]),
      ...aimed([first.plain]),
    },
    {
      ...startRow(`start to first answer: later starts (compile cache: ${ownCache})`, plainRuns),
      direct: figure(median(upstreamRuns.map(({ wallMs }) => wallMs)), 'ms'),
      ...aimed(plainRuns),
    },
    startRow('  … with NODE_COMPILE_CACHE set: first start', [first.cached]),
    startRow(`  … with NODE_COMPILE_CACHE set: later starts (${setCache})`, cachedRuns),
    {
      measure: 'idle memory (RSS), 2 s after the first answer',
      direct: figure(median(upstreamRuns.map(({ mb }) => mb)), 'MB'),
      ours: figure(idleMb, 'MB'),
      ...atMost(IDLE_RSS_MAX_MB, idleMb, 'MB'),
    },
  ];
}

function startRow(measure, runs) {
  const usedMs = median(runs.map(({ usedMs }) => usedMs));
  const change = Number.isNaN(usedMs) ? '' : `CPU ${figure(usedMs, 'ms')}`;
  return { measure, ours: figure(wallOf(runs), 'ms'), change };
}

function aimed(runs) {
  return atMost(START_MAX_MS, wallOf(runs), 'ms');
}

function wallOf(runs) {
  return median(runs.map(({ wallMs }) => wallMs));
}

/** The same of the fake upstream, for scale: a Node process that does next to nothing. */
async function upstreamOnce() {
  const startedMs = monotonicMs();
  const upstream = await startUpstream();
  try {
    const wallMs =
      (await firstAnswerMs(
        upstream,
        target(upstream.origin, () => 'Bearer none'),
      )) - startedMs;
    return { wallMs, mb: residentMb(upstream.pid) };
  } finally {
    await upstream.stop();
  }
}

async function startOnce({ env, idleMs, authorization }) {
  const server = await spawnServer(env);
  try {
    const wallMs = (await firstAnswerMs(server, target(server.origin, authorization))) - server.startedMs;
    const usedMs = cpuMs(server.pid);
    if (idleMs === 0) return { wallMs, usedMs };
    await sleep(idleMs);
    return { wallMs, usedMs, idleMb: residentMb(server.pid) };
  } finally {
    await server.stop();
  }
}

function cacheState(directory) {
  if (!existsSync(directory)) return 'not used';
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.length > 0 ? `${files.length} modules in it` : 'used, but nothing was written';
}
