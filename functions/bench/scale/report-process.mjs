// Loaded into a server before it starts (`--import`, with `--expose-gc`). With each SIGUSR2 it prints how late the event
// loop was since the last, and how much memory is in use once garbage is collected.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { PROCESS_MARK } from './process-mark.mjs';

const RESOLUTION_MS = 10;
const BYTES_A_MIB = 1_048_576;
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();

process.on('SIGUSR2', () => {
  // What is recorded is the time from one look to the next, which is the resolution where nothing is late.
  const lateMs = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  const late = { p50Ms: lateMs(histogram.percentile(50)), p99Ms: lateMs(histogram.percentile(99)) };
  const mostMs = lateMs(histogram.max);
  // Twice: what the first frees outside the heap is counted as free after the second.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  const usedMib = (heapUsed + external) / BYTES_A_MIB;
  process.stdout.write(`${PROCESS_MARK}${JSON.stringify({ ...late, mostMs, usedMib })}\n`);
  histogram.reset();
});
