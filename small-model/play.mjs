// Plays every strategy on a list of tasks with a small real model, and looks for what no user should read.
import { parseArgs } from 'node:util';
import { flawsOf } from './flaws.mjs';
import { keepIn } from './kept-runs.mjs';
import { modelFile } from './model-file.mjs';
import { lineOf, tableOf } from './results.mjs';
import { CONTEXT_TOKENS, serveModel } from './serve.mjs';
import { startService } from '../scripts/service.mts';
import { playStudy } from './study.mjs';
import { TASKS } from './tasks.mjs';

const STRATEGIES = [
  'competitive_refinement',
  'collaborative_synthesis',
  'expert_panel',
  'debate_tournament',
  'hierarchical',
  'chain_of_thought',
  'red_team_blue_team',
];
const MODELS = ['small-a', 'small-b', 'small-c', 'small-d'];
const PAUSE_AT_LEAST_MS = 2_100;

if (process.argv[2] === '--study') process.exit(await playStudy(process.argv.slice(3)));

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: String(TASKS.length) },
    strategies: { type: 'string', default: STRATEGIES.join(',') },
    participants: { type: 'string', default: String(MODELS.length) },
    rounds: { type: 'string', default: '2' },
    tokens: { type: 'string', default: '120' },
    replies: { type: 'string' },
  },
});
const panel = MODELS.slice(0, Number(values.participants));
const kept = values.replies && keepIn(values.replies);

let heard = [];
const model = await serveModel(modelFile(), {
  heard: (call) => heard.push(call),
  outputTokensMax: Number(values.tokens),
});
const settings = {
  ...{ OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: '', GEMINI_API_KEY: '', OPENAI_BASE_URL: model.baseUrl },
  DEFAULT_MODEL: panel[0],
  // One processor answers all of them: each waits for the others.
  MODEL_OVERRIDES: JSON.stringify({
    models: MODELS.map((id) => ({ id, contextTokens: CONTEXT_TOKENS, firstEventSeconds: 500 })),
  }),
};
const service = await startService(settings);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => service.stop().finally(() => process.exit(1)));

/** One run, and all that was asked and said in it. */
async function play({ strategy, task }) {
  const startedMs = performance.now();
  heard = [];
  const response = await fetch(`${service.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: panel[0],
      messages: [{ role: 'user', content: task }],
      ai_ensemble: { strategy, models: panel, rounds: Number(values.rounds), includeReasoning: true },
    }),
  });
  const body = await response.json();
  const seconds = (performance.now() - startedMs) / 1000;
  const answer = body.choices?.[0]?.message.content ?? '';
  const { degraded, error } = body;
  return { strategy, task, seconds, answer, status: response.status, error: error?.message, degraded, calls: heard };
}

const games = TASKS.slice(0, Number(values.tasks)).flatMap((task) =>
  values.strategies.split(',').map((strategy) => ({ strategy, task })),
);
const runs = kept?.read() ?? [];
const isPlayed = (game) => runs.some(({ strategy, task }) => strategy === game.strategy && task === game.task);
try {
  for (const game of games.filter((each) => !isPlayed(each))) {
    const run = await play(game);
    runs.push(run);
    kept?.add(run);
    console.log(lineOf(run));
    // As many requests as a user has in a minute.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, PAUSE_AT_LEAST_MS - run.seconds * 1000)));
  }
} finally {
  await service.stop();
  model.close();
}
const flawed = runs.filter((run) => flawsOf(run).length > 0);
console.log(`\n${tableOf(runs)}\n\n${runs.length} runs, ${runs.length - flawed.length} fit to be read.`);
process.exit(flawed.length > 0 ? 1 : 0);
