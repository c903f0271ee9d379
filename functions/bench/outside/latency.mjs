import { ask, chat } from '../load.mjs';
import { median, quantile } from '../stats.mjs';
import { inBlocks } from './turns.mjs';

const BLOCKS = 15;

/** What a pass-through costs a caller who asks one thing at a time. */
export const latency = {
  duty: 'answers',
  figures: [
    {
      ...{ key: 'medianMs', title: 'pass-through, one at a time: median', unit: 'ms' },
      ...{ isAdded: true, target: { atMost: 1, times: 'portkey' } },
    },
    {
      ...{ key: 'p99Ms', title: 'pass-through, one at a time: p99', unit: 'ms' },
      ...{ isAdded: true, target: { atMost: 1, times: 'portkey' } },
    },
  ],
  async once(contenders) {
    const times = await inBlocks(contenders, { blocks: BLOCKS }, timed);
    return Object.fromEntries(
      Object.entries(times).map(([name, all]) => [name, { medianMs: median(all), p99Ms: quantile(all, 0.99) }]),
    );
  },
};

async function timed({ to }) {
  const { sentMs, endMs } = await ask(to, chat('fake-instant'));
  return endMs - sentMs;
}
