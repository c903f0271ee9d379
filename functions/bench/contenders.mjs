// The servers that are compared. Each has a name, a title for the table, what it can be asked for (`duties`) and `start`,
// which resolves with a running program and a `to` for the load.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { npmCommand } from '../scripts/npm-command.mjs';
import { keyRing, target } from './load.mjs';
import { FUNCTIONS, freePort, start, startNode, temporaryDirectory } from './processes.mjs';

const USERS = 300;
const FRAMEWORK = 'node_modules/@google-cloud/functions-framework/build/src/main.js';
/** The options with which `npm start` and the image run Node. */
const NODE_ARGS = ['--max-semi-space-size=8', '--v8-pool-size=2'];
const PASSES_ON = ['answers', 'streams'];
const ALL = [...PASSES_ON, 'ensembles'];

/** Starts the stand-in for the model provider; resolves once it listens. */
export async function startUpstream() {
  const upstream = startNode([fileURLToPath(new URL('./upstream.mjs', import.meta.url))]);
  const [line] = await once(upstream.child.stdout, 'data');
  const origin = `http://127.0.0.1:${JSON.parse(line).port}`;
  return { ...upstream, origin, to: target(origin), records: async () => (await fetch(`${origin}/records`)).json() };
}

/** The settings of the service on an embedded store of its own, with the upstream as its OpenAI. */
export function serviceSettings({ origin }) {
  const directory = temporaryDirectory();
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    STORE: 'embedded',
    DATA_DIR: join(directory, 'data'),
    TMPDIR: directory,
    KEY_PEPPER: randomBytes(24).toString('hex'),
    OPENAI_API_KEY: 'x',
    OPENAI_BASE_URL: `${origin}/v1`,
    LOG_LEVEL: 'info',
    // Whatever else is set around us, or in `.env`, must not change what is measured.
    ...{ NODE_OPTIONS: '', ANTHROPIC_API_KEY: '', GEMINI_API_KEY: '', DEFAULT_MODEL: '', DEFAULT_PANEL: '' },
    API_KEY_PREFIX: '',
  };
}

/** Ours by `npm start` and on the Firebase door, the floors below both, and the upstream alone. */
export async function ownContenders(upstream) {
  const settings = serviceSettings(upstream);
  const keys = await seedKeys(settings, USERS);
  const copied = () => {
    const directory = join(temporaryDirectory(), 'data');
    cpSync(settings.DATA_DIR, directory, { recursive: true });
    return { ...settings, DATA_DIR: directory };
  };
  const byKeys = async (server) => ({ ...server, to: target(server.origin, keyRing(keys)) });
  const open = async (server) => ({ ...server, to: target(server.origin) });
  const [hello, sdk] = [await bundle('hello-function', settings), await bundle('sdk-function', settings)];
  return [
    { name: 'bare', title: 'bare upstream', duties: ALL, start: startUpstream },
    {
      name: 'hello',
      title: 'hello-world function',
      duties: ['answers'],
      start: async () => open(await onFramework(hello, settings)),
    },
    {
      name: 'sdk',
      title: 'SDK-only function',
      duties: PASSES_ON,
      start: async () => open(await onFramework(sdk, settings)),
    },
    {
      name: 'relay',
      title: 'relay with books',
      duties: PASSES_ON,
      start: async () => open(await relayWithBooks(upstream)),
    },
    {
      name: 'firebase',
      title: 'ours, Firebase door',
      duties: ALL,
      start: async () => byKeys(await onFramework(FUNCTIONS, copied())),
    },
    { name: 'ours', title: 'ours, npm start', duties: ALL, start: async () => byKeys(await npmStart(copied())) },
  ];
}

/** Creates Pro users in the service's store and returns a key of each. */
async function seedKeys(settings, count) {
  const env = { ...process.env, ...settings, USERS: String(count) };
  return JSON.parse(execFileSync(process.execPath, [await bundle('seed-users', settings)], { cwd: FUNCTIONS, env }));
}

/** Bundles a TypeScript file of this folder; resolves with the path of the result. */
export async function bundle(name, { TMPDIR }) {
  const outfile = join(TMPDIR, `${name}.cjs`);
  await build({
    ...{ absWorkingDir: FUNCTIONS, entryPoints: [`bench/${name}.ts`], outfile, logLevel: 'warning' },
    ...{ bundle: true, platform: 'node', target: 'node24' },
    external: [
      '@google-cloud/firestore',
      '@modelcontextprotocol/server',
      'firebase-admin',
      'firebase-admin/*',
      'unpdf',
    ],
  });
  return outfile;
}

/** Starts a function as the platform does: by the framework's program, which listens on every interface. */
export async function onFramework(source, settings) {
  const port = await freePort();
  const env = {
    ...settings,
    FUNCTION_SOURCE: source,
    FUNCTION_TARGET: 'api',
    K_SERVICE: undefined,
    PORT: String(port),
  };
  return { ...startNode([FRAMEWORK, '--target=api'], { env }), origin: `http://127.0.0.1:${port}` };
}

async function npmStart(settings) {
  const port = await freePort();
  const options = { cwd: resolve(FUNCTIONS, '..'), env: { ...settings, PORT: String(port) } };
  return { ...start(npmCommand(['start']), options), origin: `http://127.0.0.1:${port}` };
}

async function relayWithBooks(upstream) {
  const port = await freePort();
  const env = { PORT: String(port), UPSTREAM: upstream.origin, DIRECTORY: temporaryDirectory() };
  return { ...startNode([...NODE_ARGS, 'bench/relay-with-books.mjs'], { env }), origin: `http://127.0.0.1:${port}` };
}
