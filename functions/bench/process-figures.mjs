import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Whether this system tells a process's CPU time and memory under `/proc`; elsewhere those figures are skipped. */
export const HAS_PROC = existsSync('/proc/self/stat');

const TICK_MS = HAS_PROC ? 1_000 / clockTicksPerSecond() : Number.NaN;

/** CPU time a process has used so far in user and kernel mode, all threads, in ms; NaN without `/proc`. */
export function cpuMs(pid) {
  return timesMs(pid, 11);
}

/** The same of those that it has started and that have ended; NaN without `/proc`. */
export function endedChildrenCpuMs(pid) {
  return timesMs(pid, 13);
}

/** utime and stime are fields 14 and 15, those of ended children the two after them. */
function timesMs(pid, at) {
  if (!HAS_PROC) return Number.NaN;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command's name stands in parentheses and may hold spaces; behind it is field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[at]) + Number(fields[at + 1])) * TICK_MS;
}

/** Memory of a process that is in RAM, in MB (10^6 bytes); NaN without `/proc`. */
export function residentMb(pid) {
  return statusMb(pid, 'VmRSS');
}

/** The most it has had in RAM since it started or `forgetPeak` was called, in MB; NaN without `/proc`. */
export function peakMb(pid) {
  return statusMb(pid, 'VmHWM');
}

/** Lets `peakMb` begin anew at what the process has now. */
export function forgetPeak(pid) {
  if (HAS_PROC) writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function statusMb(pid, field) {
  if (!HAS_PROC) return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}

function clockTicksPerSecond() {
  try {
    return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  } catch {
    return 100;
  }
}
