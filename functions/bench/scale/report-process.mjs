// Loaded into a server before it starts (`--import`, with `--expose-gc`). With each SIGUSR2 it prints what the process has
// done since the last: how late its event loop was, its CPU time, what it has taken of the heap (as long as nothing was
// collected meanwhile); and how much memory is in use once garbage is collected.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { PROCESS_MARK } from './process-mark.mjs';

const RESOLUTION_MS = 10;
const BYTES_A_MIB = 1_048_576;
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();
let heapBytes = 0;
let cpu = process.cpuUsage();

process.on('SIGUSR2', () => {
  const takenMib = (process.memoryUsage().heapUsed - heapBytes) / BYTES_A_MIB;
  const used = process.cpuUsage(cpu);
  // Twice: what the first frees outside the heap is counted as free after the second.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  const usedMib = (heapUsed + external) / BYTES_A_MIB;
  const told = { ...late(), cpuMs: (used.user + used.system) / 1_000, takenMib, usedMib };
  process.stdout.write(`${PROCESS_MARK}${JSON.stringify(told)}\n`);
  histogram.reset();
  heapBytes = heapUsed;
  cpu = process.cpuUsage();
});

/** What is recorded is the time from one look to the next, which is the resolution where nothing is late. */
function late() {
  const lateMs = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return {
    p50Ms: lateMs(histogram.percentile(50)),
    p99Ms: lateMs(histogram.percentile(99)),
    mostMs: lateMs(histogram.max),
  };
}
