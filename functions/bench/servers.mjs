import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ask, chat } from './load.mjs';
import { monotonicMs } from './monotonic.mjs';
import { FUNCTIONS, spawnNode } from './workspace.mjs';

const READY_MAX_MS = 20_000;
const POLL_MS = 4;
const SEED_MAX_MS = 30_000;
const FRAMEWORK = 'node_modules/@google-cloud/functions-framework/build/src/main.js';

/** Starts the stand-in for the model provider; resolves with its origin once it listens. */
export async function startUpstream() {
  const upstream = spawnNode([fileURLToPath(new URL('./fake-upstream.mjs', import.meta.url))]);
  const [line] = await Promise.race([once(upstream.child.stdout, 'data'), upstream.gone.then(() => [''])]);
  if (line === '') throw new Error(`the fake upstream did not start: ${upstream.output()}`);
  const origin = `http://127.0.0.1:${JSON.parse(line).port}`;
  const records = async () => (await fetch(`${origin}/records`)).json();
  return { ...upstream, origin, records };
}

/** The settings of a server on the embedded store in `directory`, with `upstream` as its OpenAI. */
export function serverSettings(directory, upstream) {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    DATA_DIR: join(directory, 'data'),
    // Where a compile cache goes that names no directory: the first start of a run must find none.
    TMPDIR: directory,
    STORE: 'embedded',
    KEY_PEPPER: randomBytes(24).toString('hex'),
    OPENAI_API_KEY: 'x',
    OPENAI_BASE_URL: `${upstream.origin}/v1`,
    MODEL_OVERRIDES: secondProvider(upstream),
    LOG_LEVEL: 'error',
    // Whatever else is set around us, or in `.env`, must not change what is measured.
    NODE_OPTIONS: '',
    FUNCTION_SOURCE: FUNCTIONS,
    // As the platform and `npm start` set it.
    FUNCTION_TARGET: 'api',
    K_SERVICE: undefined,
    ...{ ANTHROPIC_API_KEY: '', GEMINI_API_KEY: '', DEFAULT_MODEL: '', DEFAULT_PANEL: '', API_KEY_PREFIX: '' },
  };
}

/** The same upstream once more, as a provider of its own: its models are the fake ones with this before their names. */
export const SECOND_PROVIDER = 'second-';

function secondProvider({ origin }) {
  const name = 'fake-prose-200ms';
  const models = [{ id: `${SECOND_PROVIDER}${name}`, endpoint: 'second', providerModel: name }];
  return JSON.stringify({ models, endpoints: { second: { baseUrl: `${origin}/v1` } } });
}

/** Makes `count` Pro users in the server's store and returns one key of each. */
export async function seedKeys(settings, count) {
  const script = await bundle('seed-users', settings.TMPDIR);
  const env = { ...process.env, ...settings, USERS: String(count) };
  return JSON.parse(
    execFileSync(process.execPath, [script], {
      cwd: FUNCTIONS,
      env,
      encoding: 'utf8',
      timeout: SEED_MAX_MS,
    }),
  );
}

/** Bundles a TypeScript file of this folder with the service's own sources; resolves with the path of the result. */
export async function bundle(name, directory) {
  const outfile = join(directory, `${name}.cjs`);
  await build({
    absWorkingDir: FUNCTIONS,
    entryPoints: [fileURLToPath(new URL(`./${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    external: ['@google-cloud/firestore', 'firebase-admin', 'firebase-admin/*', 'unpdf'],
    logLevel: 'warning',
  });
  return outfile;
}

/** Spawns the function on the Functions Framework as `npm start` does. `startedMs` is the moment before the spawn. */
export async function spawnServer(settings, nodeArgs = []) {
  const port = await freePort();
  const startedMs = monotonicMs();
  const server = spawnNode([...nodeArgs, '--require', './scripts/bind-host.cjs', FRAMEWORK, '--target=api'], {
    ...settings,
    PORT: String(port),
  });
  return { ...server, startedMs, origin: `http://127.0.0.1:${port}` };
}

/** Asks again and again until a pass-through chat completion is answered; resolves with the time of its end. */
export async function firstAnswerMs(server, to, readyMaxMs = READY_MAX_MS) {
  const giveUpMs = monotonicMs() + readyMaxMs;
  while (monotonicMs() < giveUpMs && server.running()) {
    try {
      return (await ask(to, chat('fake-instant'))).endMs;
    } catch (error) {
      if (error.code !== 'ECONNREFUSED') throw error;
      await sleep(POLL_MS);
    }
  }
  throw new Error(`the server did not answer: ${server.output()}`);
}

/** A port of 127.0.0.1 that nothing listens on just now. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
