import { setTimeout as sleep } from 'node:timers/promises';
import { target } from '../load.mjs';
import { forgetPeak, peakMb, residentMb } from '../process-figures.mjs';
import { bothWays, rounds } from '../rounds.mjs';
import { firstAnswerMs, spawnServer } from '../servers.mjs';
import { median } from '../stats.mjs';
import { added, atMost, figure } from '../table.mjs';
import { CALLS, PARTICIPANTS, passThroughs, played, ROUNDS } from './wide-load.mjs';

const STRATEGY = 'competitive_refinement';
const IN_A_ROW = 5;
const IDLE_MS = 1_000;
const ADDED_MAX_MB = 100;

/**
 * How much the memory of a server that has been in use grows at its peak in the largest request, and in five of them one
 * after the other; "direct" is the same for as many pass-throughs. Each on a server of its own, because Node keeps what
 * it once took.
 */
export async function wideMemory({ settings, authorization }) {
  const once = (load) => growth({ settings, authorization }, load);
  const results = await rounds(3, 60_000, (round) =>
    bothWays(
      round,
      () => once((to) => passThroughs(to, CALLS[STRATEGY])),
      () => once((to) => played(to, STRATEGY)),
    ),
  );
  const middle = (key) => ({
    was: median(results.map(({ direct }) => direct[key])),
    is: median(results.map(({ ours }) => ours[key])),
  });
  const [one, many] = [middle('oneMb'), middle('manyMb')];
  return [
    {
      measure: `${PARTICIPANTS} participants × ${ROUNDS}, ${STRATEGY}: memory added at the peak`,
      direct: figure(one.was, 'MB'),
      ours: figure(one.is, 'MB'),
      change: added(one.was, one.is, 'MB'),
      ...atMost(ADDED_MAX_MB, one.is, 'MB'),
    },
    {
      measure: `  … ${IN_A_ROW} one after the other: what Node takes before it tidies up`,
      direct: figure(many.was, 'MB'),
      ours: figure(many.is, 'MB'),
      change: added(many.was, many.is, 'MB'),
    },
  ];
}

async function growth({ settings, authorization }, load) {
  const server = await spawnServer(settings);
  try {
    const to = target(server.origin, authorization);
    await firstAnswerMs(server, to);
    await passThroughs(to, 300);
    await sleep(IDLE_MS);
    forgetPeak(server.pid);
    const beforeMb = residentMb(server.pid);
    await load(to);
    const oneMb = peakMb(server.pid) - beforeMb;
    for (let more = 1; more < IN_A_ROW; more += 1) await load(to);
    return { oneMb, manyMb: peakMb(server.pid) - beforeMb };
  } finally {
    await server.stop();
  }
}
