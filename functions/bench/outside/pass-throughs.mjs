import { ask, atOnce, chat } from '../load.mjs';
import { monotonicMs } from '../monotonic.mjs';
import { treeOf } from '../process-tree.mjs';

/** How many are under way at a time. */
export const WIDTH = 32;
const REQUESTS = 1_000;
/** A slow server is asked less often. */
const LONGEST_MS = 6_000;

/** Asks for 1,000 pass-throughs, 32 at a time. Returns how many a second there were, and what each cost in CPU. */
export async function passThroughs({ to, pid }) {
  const tree = treeOf(pid);
  const cpuBeforeMs = tree.cpuMs();
  const startedMs = monotonicMs();
  let done = 0;
  await atOnce(REQUESTS, WIDTH, async () => {
    if (monotonicMs() - startedMs > LONGEST_MS) return;
    await ask(to, chat('fake-instant'));
    done += 1;
  });
  const seconds = (monotonicMs() - startedMs) / 1_000;
  return { perSecond: done / seconds, cpuMsEach: (tree.cpuMs() - cpuBeforeMs) / done };
}
