import { ask, chat } from '../load.mjs';
import { median } from '../stats.mjs';
import { inBlocks } from './turns.mjs';

const BLOCKS = 5;

/** How soon the first text of a stream is there, from a model that sends it together with the chunk that names the role. */
export const firstChunk = {
  duty: 'streams',
  figures: [
    {
      ...{ key: 'firstMs', title: 'first content chunk, one stream at a time: median', unit: 'ms' },
      ...{ isAdded: true, target: { atMost: 2 } },
    },
  ],
  async once(contenders) {
    const times = await inBlocks(contenders, { blocks: BLOCKS }, async ({ to }) => {
      const { sentMs, firstContentMs } = await ask(to, chat('fake-instant', { stream: true }));
      return firstContentMs - sentMs;
    });
    return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, { firstMs: median(all) }]));
  },
};
