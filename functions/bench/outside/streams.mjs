import { checkedStreams } from '../checked-streams.mjs';
import { PACE_MS } from '../fake-models.mjs';
import { inTurn } from './turns.mjs';

const STREAMS = 200;
const CHUNKS = 50;
const IDEAL_MS = CHUNKS * PACE_MS;
const TITLE = `${STREAMS} streams of ${CHUNKS} chunks at once`;

/** 200 streams of 50 chunks, one chunk every 13.8 ms, all at once; every chunk is checked. */
export const streams = {
  duty: 'streams',
  figures: [
    { key: 'wallMs', title: `${TITLE}: wall (ideal ${IDEAL_MS} ms)`, unit: 'ms', target: { atMost: 850 } },
    { key: 'firstContentMs', title: `${TITLE}: first content, median`, unit: 'ms', target: { atMost: 300 } },
    { key: 'microseconds', title: `${TITLE}: CPU of a chunk`, unit: 'µs', target: { atMost: 45 } },
    { key: 'peakMib', title: `${TITLE}: memory at the peak`, unit: 'MiB', target: { atMost: 200 } },
  ],
  once: (contenders, { round }) =>
    inTurn(contenders, round, async ({ to, pid, isJoined }) => {
      const load = { count: STREAMS, width: STREAMS, pid, isJoined };
      const told = await checkedStreams(to, `fake-stream-${CHUNKS}`, load);
      return { ...told, microseconds: (told.cpuMs * 1_000) / (STREAMS * CHUNKS) };
    }),
};
