import { execFileSync } from 'node:child_process';
import { cpuMs, endedChildrenCpuMs, forgetPeak, HAS_PROC, peakMb, residentMb } from './process-figures.mjs';

const MB_PER_MIB = 1.048576;

/** The processes that a process has started, and those that these have, at this moment. */
export function processesBelow(pid) {
  const rows = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent) => pairs.filter(([of]) => of === parent).flatMap(([, child]) => [child, ...below(child)]);
  return below(pid);
}

/**
 * What a process and those below it use together, as far as they are there now; NaN without `/proc`. Memory that two of
 * them share is counted twice, and the peak is the sum of the peaks.
 */
export function treeOf(pid) {
  const pids = HAS_PROC ? [pid, ...processesBelow(pid)] : [pid];
  const sum = (figure) => pids.reduce((total, one) => total + figure(one), 0);
  return {
    cpuMs: () => sum(cpuMs) + sum(endedChildrenCpuMs),
    residentMib: () => sum(residentMb) / MB_PER_MIB,
    peakMib: () => sum(peakMb) / MB_PER_MIB,
    forgetPeak: () => pids.forEach(forgetPeak),
  };
}
