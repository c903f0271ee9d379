import { passThroughs, WIDTH } from './pass-throughs.mjs';
import { inTurn } from './turns.mjs';

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
  once: (contenders, { round }) => inTurn(contenders, round, passThroughs),
};
