import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { API_KEY, attempt, BASE_URL, ORIGIN, QUESTION } from '../attempt.mjs';

const PACKAGE = fileURLToPath(import.meta.resolve('promptfoo'));
const CLI = join(dirname(PACKAGE), 'main.js');
const CHAT = { id: 'openai:chat:ensemble', config: { apiBaseUrl: BASE_URL } };
const RESPONSES = { id: 'openai:responses:ensemble', config: { apiBaseUrl: `${ORIGIN}/openai/v1` } };
const VERDICT = { name: 'verdict', schema: { type: 'object', properties: { fruit: { type: 'boolean' } } } };

/** Runs `promptfoo eval` on a configuration file as people write it; gives what the provider said and whether all passed. */
async function evaluate({ id, config }, settings, asserts) {
  const folder = await mkdtemp(join(tmpdir(), 'promptfoo-'));
  try {
    const providers = [{ id, config: { ...config, ...settings } }];
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

const SAYS_FRUIT = [{ type: 'icontains', value: 'fruit' }];
const passthrough = { ai_ensemble: { models: ['scripted', 'scripted'] } };
await attempt({ tried: 'eval', kind: 'text' }, () => evaluate(CHAT, {}, SAYS_FRUIT));
await attempt({ tried: 'eval with a schema and ensemble options in passthrough', kind: 'object' }, () => {
  const response_format = { type: 'json_schema', json_schema: VERDICT };
  return evaluate(CHAT, { response_format, passthrough }, [{ type: 'is-json' }]);
});
await attempt({ tried: 'eval by the Responses protocol', kind: 'text' }, () => evaluate(RESPONSES, {}, SAYS_FRUIT));
await attempt({ tried: 'the same with a schema and ensemble options', kind: 'object' }, () => {
  const response_format = { type: 'json_schema', ...VERDICT };
  return evaluate(RESPONSES, { response_format, passthrough }, [{ type: 'is-json' }]);
});
