import { ask, atOnce, chat } from '../load.mjs';
import { monotonicMs } from '../monotonic.mjs';
import { treeOf } from '../process-tree.mjs';
import { inTurn } from './turns.mjs';

const WIDTH = 32;
const REQUESTS = 1_000;
/** A slow server is asked less often. */
const LONGEST_MS = 6_000;

/** How many pass-throughs a second, 32 at a time, and what each costs in CPU. */
export const throughput = {
  duty: 'answers',
  figures: [
    {
      ...{ key: 'perSecond', title: `requests a second, ${WIDTH} at a time`, unit: '/s' },
      target: { atLeast: 1.2, times: 'portkey' },
    },
    {
      ...{ key: 'cpuMsEach', title: `CPU of a request, ${WIDTH} at a time`, unit: 'ms' },
      target: { atMost: 1.4 },
    },
  ],
  once: (contenders, { round }) => inTurn(contenders, round, load),
};

async function load({ to, pid }) {
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
