import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs } from './monotonic.mjs';
import { median } from './stats.mjs';

const WRITES = 40;

/** What a small write costs until it is safe on the disk under `directory`, in ms: part of every admitted request. */
export function diskSyncMs(directory) {
  const page = Buffer.alloc(4096);
  const file = openSync(join(directory, 'sync-test'), 'w');
  const times = Array.from({ length: WRITES }, () => {
    writeSync(file, page);
    const startedMs = monotonicMs();
    fdatasyncSync(file);
    return monotonicMs() - startedMs;
  });
  closeSync(file);
  return median(times);
}
