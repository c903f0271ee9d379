import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether this system tells a process's CPU time and memory under `/proc`; elsewhere those figures are skipped. */
export const HAS_PROC = existsSync('/proc/self/stat');

const TICK_MS = HAS_PROC ? 1_000 / clockTicksPerSecond() : Number.NaN;

/** CPU time a process has used so far in user and kernel mode, all threads, in ms; NaN without `/proc`. */
export function cpuMs(pid) {
  if (!HAS_PROC) return Number.NaN;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command's name stands in parentheses and may hold spaces; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Memory of a process that is in RAM, in MB (10^6 bytes); NaN without `/proc`. */
export function residentMb(pid) {
  if (!HAS_PROC) return Number.NaN;
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}

function clockTicksPerSecond() {
  try {
    return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  } catch {
    return 100;
  }
}
