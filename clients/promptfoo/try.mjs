import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { API_KEY, attempt, BASE_URL, QUESTION } from '../attempt.mjs';

const PACKAGE = fileURLToPath(import.meta.resolve('promptfoo'));
const CLI = join(dirname(PACKAGE), 'main.js');
const config = { apiBaseUrl: BASE_URL };
const AS_OBJECT = {
  type: 'json_schema',
  json_schema: { name: 'verdict', schema: { type: 'object', properties: { fruit: { type: 'boolean' } } } },
};

/** Runs `promptfoo eval` on a configuration file as people write it; gives what the provider said and whether all passed. */
async function evaluate(settings, asserts) {
  const folder = await mkdtemp(join(tmpdir(), 'promptfoo-'));
  try {
    const providers = [{ id: 'openai:chat:ensemble', config: { ...config, ...settings } }];
    const tests = [{ vars: { question: QUESTION }, assert: asserts }];
    await writeFile(join(folder, 'config.json'), JSON.stringify({ prompts: ['{{question}}'], providers, tests }));
    const words = ['eval', '--config', 'config.json', '--output', 'out.json', '--no-cache', '--no-write', '--no-table'];
    const quiet = { PROMPTFOO_DISABLE_TELEMETRY: '1', PROMPTFOO_DISABLE_UPDATE: '1', PROMPTFOO_CONFIG_DIR: folder };
    const env = { ...process.env, ...quiet, OPENAI_API_KEY: API_KEY };
    const done = await promisify(execFile)(process.execPath, [CLI, ...words], { cwd: folder, env }).catch((error) => error);
    const [result] = JSON.parse(await readFile(join(folder, 'out.json'), 'utf8').catch(() => '{}')).results?.results ?? [];
    if (!result?.success) throw new Error(result?.error ?? `${done.stdout}${done.stderr}`);
    return result.response.output;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await attempt({ tried: 'eval', kind: 'text' }, () => evaluate({}, [{ type: 'icontains', value: 'fruit' }]));
await attempt({ tried: 'eval with a schema and ensemble options in passthrough', kind: 'object' }, () => {
  const settings = { response_format: AS_OBJECT, passthrough: { ai_ensemble: { models: ['scripted', 'scripted'] } } };
  return evaluate(settings, [{ type: 'is-json' }]);
});
