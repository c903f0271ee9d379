import { setTimeout as sleep } from 'node:timers/promises';
import { HAS_PROC } from '../process-figures.mjs';
import { treeOf } from '../process-tree.mjs';

const SPAN_MS = 500;
/** Of a core: a timer that fires now and then is no work. */
const QUIET_SHARE = 0.04;
const PATIENCE_MS = 15_000;

/**
 * Resolves once none of the servers does anything by itself any more: nobody is measured beside another's work. Where one never comes to rest, that is said after 15 s.
 */
export async function allQuiet(servers) {
  const pids = HAS_PROC ? servers.flatMap(({ pid }) => pid ?? []) : [];
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += SPAN_MS) {
    const before = cpuMsOf(pids);
    await sleep(SPAN_MS);
    if (cpuMsOf(pids).every((ms, index) => ms - before[index] <= SPAN_MS * QUIET_SHARE)) return;
  }
  console.error('  a server is busy although nobody asks it');
}

function cpuMsOf(pids) {
  return pids.map((pid) => treeOf(pid).cpuMs());
}
