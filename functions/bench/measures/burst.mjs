import { checkedStreams } from '../checked-streams.mjs';
import { bothWays, rounds } from '../rounds.mjs';
import { median } from '../stats.mjs';
import { atMost, figure, ratio } from '../table.mjs';

const CHUNKS = 2_000;
const STREAMS = 8;

/** CPU per chunk of the serving process when one stream after the other comes in back to back. */
export async function burst({ direct, ours, upstream, server }) {
  const once = async (to, pid) => {
    const { cpuMs } = await checkedStreams(to, `fake-burst-${CHUNKS}`, { count: STREAMS, width: 1, pid });
    return (cpuMs * 1_000) / (STREAMS * CHUNKS);
  };
  const results = await rounds(5, 10_000, (round) =>
    bothWays(
      round,
      () => once(direct, upstream.pid),
      () => once(ours, server.pid),
    ),
  );
  const was = median(results.map(({ direct }) => direct));
  const is = median(results.map(({ ours }) => ours));
  return [
    {
      measure: `CPU per chunk, burst: ${CHUNKS} chunks back to back, one stream at a time`,
      direct: figure(was, 'µs'),
      ours: figure(is, 'µs'),
      change: ratio(was, is),
      ...atMost(45, is, 'µs'),
    },
  ];
}
