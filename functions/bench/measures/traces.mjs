import { ask, chat, parseStream, target } from '../load.mjs';
import { cpuMs } from '../process-figures.mjs';
import { bothWays, rounds } from '../rounds.mjs';
import { bundle, firstAnswerMs, spawnServer } from '../servers.mjs';
import { median } from '../stats.mjs';
import { added, atMost, figure } from '../table.mjs';

const MODEL = 'fake-prose-0ms';
const PARTICIPANTS = 4;
const ROUNDS = 3;
const STRATEGY = 'competitive_refinement';
const SAMPLE = 12;
const RATIO_MAX = 2;

/**
 * What it costs to tell a run event by event: CPU of the serving process a streamed run, with its trace against without.
 * Models are inside the process and give their texts in one piece: nothing hides behind what a piece costs.
 */
export async function traces({ settings, authorization }) {
  const server = await spawnServer({ ...settings, FUNCTION_SOURCE: await bundle('instant-models', settings.TMPDIR) });
  try {
    const to = target(server.origin, authorization);
    await firstAnswerMs(server, to);
    for (const includeTrace of [false, true, false, true]) await sample(to, server.pid, includeTrace);
    const results = await rounds(9, 40_000, (round) =>
      bothWays(
        round,
        () => sample(to, server.pid, false),
        () => sample(to, server.pid, true),
      ),
    );
    const wasMs = median(results.map(({ direct }) => direct));
    const isMs = median(results.map(({ ours }) => ours));
    const ratio = median(results.map(({ direct, ours }) => ours / direct));
    return [
      {
        measure: `${PARTICIPANTS} participants × ${ROUNDS}, streamed: CPU without and with its trace`,
        direct: figure(wasMs, 'ms'),
        ours: figure(isMs, 'ms'),
        change: `${added(wasMs, isMs, 'ms')}, × ${ratio.toFixed(2)}`,
        ...atMost(RATIO_MAX, ratio, '×'),
      },
    ];
  } finally {
    await server.stop();
  }
}

/** CPU ms of one run, over several. */
async function sample(to, pid, includeTrace) {
  const beforeMs = cpuMs(pid);
  for (let run = 0; run < SAMPLE; run += 1) await played(to, includeTrace);
  return (cpuMs(pid) - beforeMs) / SAMPLE;
}

async function played(to, includeTrace) {
  const models = Array.from({ length: PARTICIPANTS }, () => MODEL);
  const options = { models, strategy: STRATEGY, rounds: ROUNDS, includeTrace };
  const { text } = await ask(to, chat(MODEL, { stream: true, ai_ensemble: options }));
  const { done } = parseStream(text);
  if (!done || text.includes('"type":"end"') !== includeTrace) throw new Error(text.slice(-500));
}
