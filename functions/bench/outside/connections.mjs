import { Agent } from 'node:http';
import { passThroughs, WIDTH } from './pass-throughs.mjs';
import { inTurn } from './turns.mjs';

/** The same load as of `throughput`, each request on a connection of its own, as behind proxies that keep none. */
export const connections = {
  duty: 'answers',
  figures: [
    { key: 'perSecond', title: `requests a second, ${WIDTH} at a time, a connection each`, unit: '/s' },
    { key: 'cpuMsEach', title: `CPU of a request, ${WIDTH} at a time, a connection each`, unit: 'ms' },
  ],
  once: (contenders, { round }) =>
    inTurn(contenders, round, ({ to, pid }) =>
      passThroughs({ to: { ...to, agent: new Agent({ keepAlive: false }) }, pid }),
    ),
};
