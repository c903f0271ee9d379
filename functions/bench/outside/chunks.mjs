import { checkedStreams } from '../checked-streams.mjs';
import { inTurn } from './turns.mjs';

const STREAMS = 60;
const WIDTH = 20;
const CHUNKS = 200;

/**
 * What one streamed chunk costs in CPU where chunks come back to back, its share of the request's included; every chunk
 * is checked.
 */
export const chunks = {
  duty: 'streams',
  figures: [
    {
      ...{
        key: 'microseconds',
        title: `CPU of a chunk, ${WIDTH} streams of ${CHUNKS} at once, back to back`,
        unit: 'µs',
      },
      target: { atMost: 25 },
    },
  ],
  once: (contenders, { round }) =>
    inTurn(contenders, round, async ({ to, pid, isJoined }) => {
      const load = { count: STREAMS, width: WIDTH, pid, isJoined };
      const { cpuMs } = await checkedStreams(to, `fake-burst-${CHUNKS}`, load);
      return { microseconds: (cpuMs * 1_000) / (STREAMS * CHUNKS) };
    }),
};
