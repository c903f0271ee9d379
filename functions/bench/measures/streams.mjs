import { PACE_MS } from '../fake-models.mjs';
import { bothWays, rounds } from '../rounds.mjs';
import { median } from '../stats.mjs';
import { atMost, figure, ratio } from '../table.mjs';
import { checkedStreams } from './checked-streams.mjs';

const STREAMS = 200;
const CHUNKS = 50;
const IDEAL_MS = CHUNKS * PACE_MS;

/**
 * 200 streams of 50 chunks, one chunk every 13.8 ms, all at once; every chunk is checked. The CPU is told twice: of the
 * whole requests, and less what the same requests cost when they carry one chunk only, which is the price of a chunk.
 */
export async function streams({ direct, ours, upstream, server }) {
  const once = async (to, pid) => {
    const load = { count: STREAMS, width: STREAMS, pid };
    const full = await checkedStreams(to, `fake-stream-${CHUNKS}`, load);
    const single = await checkedStreams(to, `fake-hold-${CHUNKS}`, load);
    return {
      wallMs: full.wallMs,
      wholeMicroseconds: (full.cpuMs * 1_000) / (STREAMS * CHUNKS),
      chunkMicroseconds: ((full.cpuMs - single.cpuMs) * 1_000) / (STREAMS * (CHUNKS - 1)),
    };
  };
  const results = await rounds(5, 20_000, (round) =>
    bothWays(
      round,
      () => once(direct, upstream.pid),
      () => once(ours, server.pid),
    ),
  );
  const row = (measure, key, unit) => {
    const was = median(results.map(({ direct }) => direct[key]));
    const is = median(results.map(({ ours }) => ours[key]));
    return { measure, direct: figure(was, unit), ours: figure(is, unit), change: ratio(was, is), is };
  };
  const whole = row(`CPU per chunk, paced: ${STREAMS} × ${CHUNKS}, whole requests`, 'wholeMicroseconds', 'µs');
  const chunk = row(`CPU per chunk, paced: ${STREAMS} × ${CHUNKS}, chunks alone`, 'chunkMicroseconds', 'µs');
  return [
    {
      ...row(`${STREAMS} streams of ${CHUNKS} chunks at once: wall (ideal ${IDEAL_MS})`, 'wallMs', 'ms'),
      target: 'none lost',
      ok: 'ok',
    },
    { ...whole, ...atMost(45, whole.is, 'µs') },
    { ...chunk, ...atMost(45, chunk.is, 'µs') },
  ];
}
