import { ask, atOnce, chat } from '../load.mjs';
import { monotonicMs } from '../monotonic.mjs';
import { cpuMs } from '../process-figures.mjs';
import { bothWays, rounds } from '../rounds.mjs';
import { median } from '../stats.mjs';
import { atLeast, atMost, figure, ratio } from '../table.mjs';

const WIDTH = 32;
const REQUESTS = 1_000;

/** How many pass-throughs a second, 32 at a time, and what each costs the serving process in CPU. */
export async function throughput({ direct, ours, upstream, server }) {
  const results = await rounds(5, 18_000, (round) =>
    bothWays(
      round,
      () => load(direct, upstream.pid),
      () => load(ours, server.pid),
    ),
  );
  const middle = (of) => ({
    was: median(results.map(({ direct }) => of(direct))),
    is: median(results.map(({ ours }) => of(ours))),
  });
  const rate = middle(({ perSecond }) => perSecond);
  const cpu = middle(({ cpuMsEach }) => cpuMsEach);
  return [
    {
      measure: `requests/s, ${WIDTH} at a time`,
      direct: figure(rate.was),
      ours: figure(rate.is),
      change: ratio(rate.was, rate.is),
      ...atLeast(400, rate.is, '/s'),
    },
    {
      measure: 'CPU per request, serving process',
      direct: figure(cpu.was, 'ms'),
      ours: figure(cpu.is, 'ms'),
      change: ratio(cpu.was, cpu.is),
      ...atMost(3, cpu.is, 'ms'),
    },
  ];
}

async function load(to, pid) {
  const cpuBefore = cpuMs(pid);
  const startedMs = monotonicMs();
  await atOnce(REQUESTS, WIDTH, () => ask(to, chat('fake-instant')));
  const seconds = (monotonicMs() - startedMs) / 1_000;
  return { perSecond: REQUESTS / seconds, cpuMsEach: (cpuMs(pid) - cpuBefore) / REQUESTS };
}
