import { target } from '../load.mjs';
import { cpuMs } from '../process-figures.mjs';
import { rounds } from '../rounds.mjs';
import { bundle, firstAnswerMs, spawnServer } from '../servers.mjs';
import { median } from '../stats.mjs';
import { added, atMost, figure } from '../table.mjs';
import { CALLS, PARTICIPANTS, passThroughs, played, ROUNDS } from './wide-load.mjs';

const SAMPLE = 4;
const ADDED_MAX_MS = 100;

const [DEFAULT, ...OTHERS] = Object.keys(CALLS);

/**
 * What the largest request costs in CPU of the serving process, against as many pass-through calls of the same replies.
 * Told twice. With models inside the process no call leaves it, so that all is the service's own work: the ensemble adds
 * what a request takes beyond a pass-through, on the same server. With real calls, over HTTP, it adds what a request
 * takes beyond as many pass-throughs; those have a request, a key check and a ledger record of their own each, but short prompts.
 */
export async function wide(bench) {
  const own = await withInstantModels(bench, ownWork);
  const worst = OTHERS.reduce((one, other) => (own[other].isMs > own[one].isMs ? other : one));
  const rows = [];
  for (const strategy of [DEFAULT, worst]) rows.push(ownRow(strategy, own[strategy]), await realRow(bench, strategy));
  return rows;
}

async function withInstantModels({ settings, authorization }, measure) {
  const server = await spawnServer({ ...settings, FUNCTION_SOURCE: await bundle('instant-models', settings.TMPDIR) });
  try {
    const to = target(server.origin, authorization);
    await firstAnswerMs(server, to);
    await passThroughs(to, 300);
    return await measure(to, server.pid);
  } finally {
    await server.stop();
  }
}

/** By strategy: CPU ms of a pass-through, of the first such request of all, and of one once the code is warm. */
async function ownWork(to, pid) {
  const firstMs = await used(pid, () => played(to, DEFAULT));
  const wasMs = (await used(pid, () => passThroughs(to, 400))) / 400;
  for (const strategy of Object.keys(CALLS)) await sample(to, pid, strategy);
  const results = await rounds(3, 20_000, async () => {
    const each = {};
    for (const strategy of Object.keys(CALLS)) each[strategy] = await sample(to, pid, strategy);
    return each;
  });
  const isMs = (strategy) => median(results.map((each) => each[strategy]));
  return Object.fromEntries(Object.keys(CALLS).map((strategy) => [strategy, { firstMs, wasMs, isMs: isMs(strategy) }]));
}

function ownRow(strategy, { firstMs, wasMs, isMs }) {
  const first = strategy === DEFAULT ? `, ${figure(firstMs - wasMs, 'ms')} the first time` : ', the most of the others';
  return {
    measure: `${PARTICIPANTS} participants × ${ROUNDS}, ${strategy}: own CPU, models inside`,
    direct: figure(wasMs, 'ms'),
    ours: figure(isMs, 'ms'),
    change: `${added(wasMs, isMs, 'ms')}${first}`,
    ...atMost(ADDED_MAX_MS, isMs - wasMs, 'ms added'),
  };
}

async function realRow({ ours, server: { pid } }, strategy) {
  const calls = CALLS[strategy];
  await sample(ours, pid, strategy);
  const results = await rounds(3, 12_000, async () => ({
    was: (await used(pid, () => passThroughs(ours, 2 * calls))) / 2,
    is: await sample(ours, pid, strategy),
  }));
  const wasMs = median(results.map(({ was }) => was));
  const isMs = median(results.map(({ is }) => is));
  const [wasEach, isEach] = [wasMs, isMs].map((ms) => figure(ms / calls, 'ms'));
  return {
    measure: `  … with real calls: ${calls} pass-throughs, the request`,
    direct: figure(wasMs, 'ms'),
    ours: figure(isMs, 'ms'),
    change: `${added(wasMs, isMs, 'ms')}; a call ${wasEach}, ${isEach}`,
    ...atMost(ADDED_MAX_MS, isMs - wasMs, 'ms added'),
  };
}

/** CPU ms of one request, over several; throws when they made other calls than the strategy's formula says. */
async function sample(to, pid, strategy) {
  const numbers = [];
  const usedMs = await used(pid, async () => {
    for (let run = 0; run < SAMPLE; run += 1) numbers.push(await played(to, strategy));
  });
  const calls = (numbers.at(-1) - numbers[0]) / (SAMPLE - 1);
  if (calls !== CALLS[strategy]) throw new Error(`${strategy}: ${calls} model calls, ${CALLS[strategy]} expected`);
  return usedMs / SAMPLE;
}

async function used(pid, work) {
  const beforeMs = cpuMs(pid);
  await work();
  return cpuMs(pid) - beforeMs;
}
