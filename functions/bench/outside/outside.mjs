import { ensurePagesBuilt } from '../../scripts/ensure-built.mjs';
import { ask, atOnce, chat } from '../load.mjs';
import { firstAnswerMs } from '../servers.mjs';
import { allQuiet } from './all-quiet.mjs';
import { chunks } from './chunks.mjs';
import { connections } from './connections.mjs';
import { ensemble } from './ensemble.mjs';
import { firstAnswer } from './first-answer.mjs';
import { firstChunk } from './first-chunk.mjs';
import { floors } from './floors.mjs';
import { latency } from './latency.mjs';
import { ours } from './ours.mjs';
import { peers } from './peers/peers.mjs';
import { streams } from './streams.mjs';
import { throughput } from './throughput.mjs';
import { inTurn } from './turns.mjs';

/** What is measured from outside: every row of the table of docs/performance.md. */
export const OUTSIDE = {
  latency,
  throughput,
  connections,
  'first-chunk': firstChunk,
  chunks,
  streams,
  'first-answer': firstAnswer,
  ensemble,
};
/** How many requests a server has had before a column is measured. */
export const COLUMNS = [10, 600];
const WARM_UP_WIDTH = 16;
const START_MAX_MS = 90_000;

/**
 * Measures ours beside the bare upstream, two functions that do less and, where asked, gateways of others: every measure
 * on servers started for it, in rounds, all in turn. Returns who took part and, for each measure, round
 * and column, the values of each by name.
 */
export async function outside({ names, roundsAsked, withPeers, ...bench }) {
  ensurePagesBuilt();
  const candidates = [...(await floors(bench)), await ours(bench), ...(withPeers ? peers(bench) : [])];
  // The first start of a program compiles it, or part of it, and keeps that for the next.
  const able = candidates.map((one) => ({ ...one }));
  await inTurn(able, 0, async (one) => (await begun(one.start)).stop());
  const taking = candidates.filter((_, index) => able[index].fault === undefined);
  const samples = [];
  for (let round = 0; round < roundsAsked; round += 1) {
    for (const name of names) {
      process.stderr.write(`round ${round + 1} of ${roundsAsked}, ${name} …\n`);
      const taken = await take(OUTSIDE[name], taking, { ...bench, round });
      samples.push(...taken.map((sample) => ({ measure: name, round, ...sample })));
    }
  }
  return { candidates: taking, samples };
}

/** A measure of starting starts its servers itself, and has one column. */
async function take(measure, candidates, bench) {
  if (measure.duty !== undefined) return played(measure, candidates, bench);
  const values = await measure.once(
    candidates.map((one) => ({ ...one })),
    { ...bench, begun },
  );
  return [{ column: COLUMNS[0], values }];
}

/** One measure in one round: each column's values of all who take part, by name. */
async function played(measure, candidates, bench) {
  const contenders = candidates.filter(({ duties }) => duties.includes(measure.duty)).map((one) => ({ ...one }));
  try {
    await inTurn(contenders, bench.round, async (one) => Object.assign(one, await begun(one.start)));
    await allQuiet(contenders);
    return await measured(measure, contenders, bench);
  } finally {
    await Promise.all(contenders.map(({ stop }) => stop?.()));
  }
}

async function measured(measure, contenders, bench) {
  const taken = [];
  let asked = 1;
  for (const column of COLUMNS) {
    await inTurn(contenders, bench.round, (one) => warmUp(one, column - asked));
    asked = column;
    taken.push({ column, values: await measure.once(contenders, bench) });
  }
  return taken;
}

/** Starts a server and waits for its first answer. */
async function begun(start) {
  const server = await start();
  try {
    const startMs = (await firstAnswerMs(server, server.to, START_MAX_MS)) - server.startedMs;
    return { ...server, startMs };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Every fourth streamed; the first ten one at a time, so that each finds the server as a person would. */
async function warmUp({ to }, count) {
  const width = count < WARM_UP_WIDTH ? 1 : WARM_UP_WIDTH;
  await atOnce(count, width, (index) => ask(to, chat('fake-instant', { stream: index % 4 === 0 })));
}
