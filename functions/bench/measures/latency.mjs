import { ask, chat } from '../load.mjs';
import { bothWays, rounds } from '../rounds.mjs';
import { median, quantile } from '../stats.mjs';
import { added, atMost, figure } from '../table.mjs';

const PAIRS = 100;

/** What a pass-through costs a caller who asks one thing at a time; direct and ours take turns, request by request. */
export async function latency({ direct, ours }) {
  const results = await rounds(5, 8_000, async () => {
    const times = { direct: [], ours: [] };
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const both = await bothWays(
        pair,
        () => timed(direct),
        () => timed(ours),
      );
      times.direct.push(both.direct);
      times.ours.push(both.ours);
    }
    return times;
  });
  const row = (name, of) => {
    const was = median(results.map(({ direct }) => of(direct)));
    const is = median(results.map(({ ours }) => of(ours)));
    return { measure: name, direct: figure(was, 'ms'), ours: figure(is, 'ms'), change: added(was, is, 'ms'), was, is };
  };
  const middle = row('pass-through, one at a time: median', median);
  const tail = row('pass-through, one at a time: p99', (times) => quantile(times, 0.99));
  return [{ ...middle, ...atMost(3, middle.is - middle.was, 'ms added') }, tail];
}

async function timed(to) {
  const { sentMs, endMs } = await ask(to, chat('fake-instant'));
  return endMs - sentMs;
}
