import { setTimeout as sleep } from 'node:timers/promises';
import { TAGGED_PACE_MS } from '../fake-models.mjs';
import { ask, atOnce, chat, target } from '../load.mjs';
import { cpuMs } from '../process-figures.mjs';
import { treeOf } from '../process-tree.mjs';
import { firstAnswerMs, spawnServer } from '../servers.mjs';
import { median } from '../stats.mjs';
import { added, atMost, figure, ratio } from '../table.mjs';
import { openSlowReaders } from './slow-readers.mjs';
import { taggedStreams } from './tagged-streams.mjs';
import { TELLING_ARGS, toldByProcess } from './told-by-process.mjs';

const STREAMS = 500;
const CHUNKS = 100;
const MODEL = `fake-tagged-${CHUNKS}`;
const IDEAL_MS = CHUNKS * TAGGED_PACE_MS;
const LATE_MAX_MS = 50;
const MIB_EACH_MAX = 0.5;
const WARM_UP_REQUESTS = 600;

const SLOW_READERS = 50;
const OTHERS = 100;
/** 13 MB on the wire for each: far more than the sockets between a model and a client that does not read can hold. */
const LONG_MODEL = 'fake-tagged-burst-60000';
const SLOWER_MAX = 1.1;
/** A server that takes less CPU time than the second in the first is idle. */
const IDLE_LOOK_MS = 500;
const IDLE_MAX_MS = 30;

/**
 * What 500 streams at once cost one process, and what clients cost that stop reading; every stream has a text of its
 * own, which is checked to the byte. On servers of their own, because Node keeps the memory that it once took.
 */
export async function scale(bench) {
  return [...(await withServer(bench, manyStreams)), ...(await withServer(bench, slowReaders))];
}

async function withServer({ settings, authorization, direct, newTag }, measure) {
  const server = await spawnServer(settings, TELLING_ARGS);
  try {
    const to = target(server.origin, authorization);
    await firstAnswerMs(server, to);
    await atOnce(WARM_UP_REQUESTS, 16, (index) => ask(to, chat('fake-instant', { stream: index % 2 === 0 })));
    return await measure({ server, to, direct, newTag });
  } finally {
    await server.stop();
  }
}

async function manyStreams({ server, to, direct, newTag }) {
  const load = { count: STREAMS, newTag };
  const bare = await taggedStreams(direct, MODEL, load);
  await toldByProcess(server);
  const memory = memoryOf(server);
  const beforeMs = cpuMs(server.pid);
  const { wallMs, firstContentMs } = await taggedStreams(to, MODEL, load);
  const chunkUs = ((cpuMs(server.pid) - beforeMs) * 1_000) / (STREAMS * CHUNKS);
  const eachMib = memory.addedMib() / STREAMS;
  const { p50Ms, p99Ms, mostMs } = await toldByProcess(server);
  const firstMs = median(firstContentMs);
  const bareFirstMs = median(bare.firstContentMs);
  const row = (measure, direct, ours) => ({
    measure: `${STREAMS} streams of ${CHUNKS} at once: ${measure}`,
    direct,
    ours,
  });
  return [
    {
      ...row(`none lost or mixed; wall (ideal ${IDEAL_MS} ms)`, figure(bare.wallMs, 'ms'), figure(wallMs, 'ms')),
      change: ratio(bare.wallMs, wallMs),
    },
    {
      ...row('first content, median', figure(bareFirstMs, 'ms'), figure(firstMs, 'ms')),
      change: added(bareFirstMs, firstMs, 'ms'),
    },
    { ...row('CPU of a chunk', '', figure(chunkUs, 'µs')) },
    {
      ...row('event loop late, p99', '', figure(p99Ms, 'ms')),
      change: `median ${figure(p50Ms, 'ms')}, most ${figure(mostMs, 'ms')}`,
      ...atMost(LATE_MAX_MS, p99Ms, 'ms'),
    },
    { ...row('memory of each at the peak', '', figure(eachMib, 'MiB')), ...atMost(MIB_EACH_MAX, eachMib, 'MiB') },
  ];
}

async function slowReaders({ server, to, newTag }) {
  const others = () => taggedStreams(to, MODEL, { count: OTHERS, newTag });
  const alone = await others();
  const { usedMib: beforeMib } = await toldByProcess(server);
  const slow = await openSlowReaders(to, LONG_MODEL, Array.from({ length: SLOW_READERS }, newTag));
  await idle(server);
  const { usedMib, mostMs } = await toldByProcess(server);
  const eachMib = (usedMib - beforeMib) / SLOW_READERS;
  const beside = await others();
  const { p99Ms } = await toldByProcess(server);
  await slow.goOn();
  const slower = beside.wallMs / alone.wallMs;
  const title = `${SLOW_READERS} clients that stop reading`;
  return [
    {
      measure: `${title}: memory of each`,
      ours: figure(eachMib, 'MiB'),
      change: `event loop late, most ${figure(mostMs, 'ms')}`,
      ...atMost(MIB_EACH_MAX, eachMib, 'MiB'),
    },
    {
      measure: `  … wall of ${OTHERS} streams, alone and beside them`,
      direct: figure(alone.wallMs, 'ms'),
      ours: figure(beside.wallMs, 'ms'),
      change: `${ratio(alone.wallMs, beside.wallMs)}; event loop late, p99 ${figure(p99Ms, 'ms')}`,
      ...atMost(SLOWER_MAX, slower, '×'),
    },
  ];
}

/** Resolves once a server does next to nothing: the sockets to those who do not read are full. */
async function idle({ pid }) {
  for (let before = cpuMs(pid); ; ) {
    await sleep(IDLE_LOOK_MS);
    const now = cpuMs(pid);
    if (Number.isNaN(now) || now - before <= IDLE_MAX_MS) return;
    before = now;
  }
}

/** How much more a server has at its peak than now. */
function memoryOf({ pid }) {
  const tree = treeOf(pid);
  tree.forgetPeak();
  const beforeMib = tree.residentMib();
  return { addedMib: () => tree.peakMib() - beforeMib };
}
