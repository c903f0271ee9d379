// Plays every strategy on a list of tasks with a small real model, and looks for what no user should read.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { flawsOf } from './flaws.mjs';
import { modelFile } from './model-file.mjs';
import { CONTEXT_TOKENS, serveModel } from './serve.mjs';
import { startService } from './service.mjs';
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
const PANEL = ['small-a', 'small-b', 'small-c', 'small-d'];
const PAUSE_AT_LEAST_MS = 2_100;

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: String(TASKS.length) },
    strategies: { type: 'string', default: STRATEGIES.join(',') },
    replies: { type: 'string' },
  },
});
const tasks = TASKS.slice(0, Number(values.tasks));
const strategies = values.strategies.split(',');

const replies = [];
const model = await serveModel(modelFile(), (prompt, reply) => replies.push({ prompt, reply }));
const settings = {
  ...{ OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: '', GEMINI_API_KEY: '', OPENAI_BASE_URL: model.baseUrl },
  DEFAULT_MODEL: PANEL[0],
  // One processor answers all of them: each waits for the others.
  MODEL_OVERRIDES: JSON.stringify({
    models: PANEL.map((id) => ({ id, contextTokens: CONTEXT_TOKENS, firstEventSeconds: 500 })),
  }),
};
const service = await startService(settings);

/** One run; what came of it in a line. */
async function play(strategy, task) {
  const startedMs = performance.now();
  const response = await fetch(`${service.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: PANEL[0],
      messages: [{ role: 'user', content: task }],
      ai_ensemble: { strategy, models: PANEL, rounds: 2, includeReasoning: true },
    }),
  });
  const body = await response.json();
  const answer = body.choices?.[0]?.message.content ?? '';
  const flaws = response.ok ? flawsOf(answer) : [`status ${response.status}: ${body.error?.message}`];
  return { strategy, task, flaws, seconds: (performance.now() - startedMs) / 1000, answer, degraded: body.degraded };
}

const runs = [];
try {
  for (const task of tasks) {
    for (const strategy of strategies) {
      const run = await play(strategy, task);
      runs.push(run);
      const outcome = run.flaws.length > 0 ? run.flaws.join(', ') : 'fine';
      console.log(
        `${strategy.padEnd(24)} ${run.seconds.toFixed(1).padStart(6)} s  ${outcome}  ${JSON.stringify(run.answer.slice(0, 60))}`,
      );
      // As many requests as a user has in a minute.
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, PAUSE_AT_LEAST_MS - run.seconds * 1000)));
    }
  }
} finally {
  if (values.replies) {
    mkdirSync(values.replies, { recursive: true });
    writeFileSync(join(values.replies, 'runs.json'), JSON.stringify(runs, null, 1));
    writeFileSync(join(values.replies, 'replies.json'), JSON.stringify(replies, null, 1));
  }
  await service.stop();
  model.close();
}
const flawed = runs.filter(({ flaws }) => flaws.length > 0);
console.log(`\n${runs.length} runs, ${runs.length - flawed.length} fit to be read.`);
process.exit(flawed.length > 0 ? 1 : 0);
