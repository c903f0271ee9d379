// Plays a study of `npm run quality` with the small model: it proves the way through a real model, and nothing about ensembles.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { modelFile } from './model-file.mjs';
import { CONTEXT_TOKENS, serveModel } from './serve.mjs';

const QUALITY = fileURLToPath(new URL('../quality/study/command/main.ts', import.meta.url));
const MODELS = ['small-a', 'small-b'];
const OUTPUT_TOKENS_MAX = 60;
/** Options where none are given: little, as all calls wait for one thread. */
const USUAL = {
  '--panel': MODELS.join(','),
  '--arbiter': MODELS[0],
  '--tasks': '3',
  '--kinds': 'arithmetic,calendar,puzzle',
  '--repeats': '1',
  '--strategies': 'competitive_refinement',
  '--at-once': '2',
  '--max-usd': '1',
};

/** Plays it; resolves with the exit code. */
export async function playStudy(args) {
  const model = await serveModel(modelFile(), { heard: () => {}, outputTokensMax: OUTPUT_TOKENS_MAX });
  const usual = Object.entries(USUAL).filter(([name]) => !args.includes(name));
  const words = [...usual.flat(), ...args, ...(args.includes('--yes') ? [] : ['--yes'])];
  const settings = {
    ...{ OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: '', GEMINI_API_KEY: '', OPENAI_BASE_URL: model.baseUrl },
    // It is not the study that the dashboard of this machine is to show.
    STUDY_FILE: fileURLToPath(new URL('../.data/small-model/study.json', import.meta.url)),
    MODEL_OVERRIDES: JSON.stringify({
      models: MODELS.map((id) => ({ id, provider: 'openai', contextTokens: CONTEXT_TOKENS, firstEventSeconds: 500 })),
    }),
  };
  const child = spawn(process.execPath, [QUALITY, ...words], { env: { ...process.env, ...settings }, stdio: 'inherit' });
  // The study finishes what is under way.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  model.close();
  return code ?? 1;
}
