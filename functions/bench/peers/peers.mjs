// Gateways of others, installed below the user's cache folder at the versions named here.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from '../../scripts/npm-command.mjs';
import { target } from '../load.mjs';
import { freePort, start, temporaryDirectory } from '../processes.mjs';

const KEY = 'sk-bench';
const HERE = fileURLToPath(new URL('.', import.meta.url));

const PEERS = [
  {
    ...{ name: 'portkey', title: 'Portkey 1.15.2', duties: ['answers', 'streams'] },
    install: (folder) => {
      cpSync(join(HERE, 'package.json'), join(folder, 'package.json'));
      run(npmCommand(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']), folder);
    },
    command: ({ folder, port }) => [
      process.execPath,
      join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js'),
      ...[`--port=${port}`, '--headless'],
    ],
    headers: ({ origin }) => ({ 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${origin}/v1` }),
  },
  {
    ...{ name: 'litellm', title: 'LiteLLM 1.106.2', duties: ['answers', 'streams'] },
    install: (folder) => pip(folder, ['litellm[proxy]==1.106.2']),
    command: ({ folder, port, upstream }) => [
      join(folder, '.venv/bin/litellm'),
      ...['--config', litellmConfig(upstream), '--host', '127.0.0.1', '--port', `${port}`],
    ],
    // Its prices come from the package, not from the network.
    env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_TELEMETRY: 'False' },
  },
  {
    ...{ name: 'optillm', title: 'optillm 0.4.0', duties: ['ensembles'] },
    // Without the packages for models of its own.
    install: (folder) => pip(folder, ['--no-deps', '-r', join(HERE, 'optillm.txt')]),
    command: ({ folder, port, upstream }) => [
      join(folder, '.venv/bin/optillm'),
      ...['--base-url', `${upstream.origin}/v1`, '--port', `${port}`],
    ],
    env: { OPENAI_API_KEY: 'x' },
  },
];

/** Those of the peers that can be installed here; prints a line for each that cannot. */
export function peers(upstream) {
  return PEERS.flatMap(({ install, command, env, headers = () => ({}), ...peer }) => {
    const folder = installed(peer, install);
    if (folder === undefined) return [];
    const begin = async () => {
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      const program = start(command({ folder, port, upstream }), { cwd: folder, env });
      return { ...program, origin, to: target(origin, () => `Bearer ${KEY}`, headers(upstream)) };
    };
    return [{ ...peer, isPeer: true, start: begin }];
  });
}

function installed({ name, title }, install) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'ensemble-api', 'bench-peers', title.replace(' ', '-'));
  try {
    if (existsSync(join(folder, '.installed'))) return folder;
    console.error(`Installing ${title} into ${folder} …`);
    mkdirSync(folder, { recursive: true });
    install(folder);
    writeFileSync(join(folder, '.installed'), name);
    return folder;
  } catch (error) {
    console.log(`${title} is left out: ${error.message.split('\n')[0]}`);
    return undefined;
  }
}

function pip(folder, words) {
  run([process.env.PYTHON || 'python3', '-m', 'venv', '.venv'], folder);
  run([join(folder, '.venv/bin/python'), '-m', 'pip', 'install', '--quiet', ...words], folder);
}

function run([program, ...words], cwd) {
  execFileSync(program, words, { cwd, stdio: ['ignore', 2, 'inherit'] });
}

/** Every model goes to the upstream; one key is checked, as everything else of its books needs a database. */
function litellmConfig({ origin }) {
  const file = join(temporaryDirectory(), 'config.json');
  const params = { model: 'openai/*', api_base: `${origin}/v1`, api_key: 'x' };
  const models = [{ model_name: '*', litellm_params: params }];
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ model_list: models, general_settings: { master_key: KEY } }));
  return file;
}
