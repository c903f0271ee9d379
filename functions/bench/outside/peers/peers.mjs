import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { target } from '../../load.mjs';
import { monotonicMs } from '../../monotonic.mjs';
import { freePort } from '../../servers.mjs';
import { spawnProgram, temporaryDirectory } from '../../workspace.mjs';
import { installPeer } from './install-peer.mjs';

const KEY = 'sk-bench';

/**
 * Gateways of others. `commands` make the documented command line for a free port, and where that goes by npx the one of
 * the server alone, which is then the one that is put under load: in its favour.
 */
const PEERS = [
  {
    ...{ name: 'portkey', title: 'Portkey 1.15.2', duties: ['answers', 'streams'], isByNpx: true },
    commands: ({ folder, port }) => ({
      documented: ['npx', '@portkey-ai/gateway', `--port=${port}`, '--headless'],
      alone: [
        process.execPath,
        join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js'),
        ...[`--port=${port}`, '--headless'],
      ],
    }),
    headers: ({ origin }) => ({ 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${origin}/v1` }),
  },
  {
    ...{ name: 'litellm', title: 'LiteLLM 1.106.2', duties: ['answers', 'streams'] },
    commands: ({ folder, port, directory, upstream }) => ({
      documented: [
        join(folder, '.venv/bin/litellm'),
        ...['--config', litellmConfig(directory, upstream), '--host', '127.0.0.1', '--port', `${port}`],
      ],
    }),
    // Its prices come from the package, not from the network.
    env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_TELEMETRY: 'False' },
  },
  {
    ...{ name: 'optillm', title: 'optillm 0.4.0', duties: ['answers', 'streams', 'ensembles'], isJoined: true },
    commands: ({ folder, port, upstream }) => ({
      documented: [join(folder, '.venv/bin/optillm'), '--base-url', `${upstream.origin}/v1`, '--port', `${port}`],
    }),
    env: { OPENAI_API_KEY: 'x' },
  },
];

/** Those of the peers that can be installed here; a line for each that cannot. */
export function peers({ upstream }) {
  return PEERS.flatMap((peer) => {
    const { folder, fault } = installPeer(peer.name);
    if (fault !== undefined) console.log(`${peer.title} is left out: ${fault}`);
    return fault === undefined ? [candidate(peer, { folder, upstream })] : [];
  });
}

function candidate({ isByNpx, commands, env, headers = () => ({}), ...peer }, { folder, upstream }) {
  const start = async (form) => {
    const port = await freePort();
    const told = commands({ folder, port, upstream, directory: temporaryDirectory() });
    const startedMs = monotonicMs();
    const server = spawnProgram(told[form], { cwd: folder, env });
    const origin = `http://127.0.0.1:${port}`;
    const to = target(origin, () => `Bearer ${KEY}`, { headers: headers(upstream) });
    return { ...server, startedMs, origin, to };
  };
  const forms = { documented: () => start('documented'), ...(isByNpx && { alone: () => start('alone') }) };
  return { ...{ ...peer, isPeer: true, forms }, start: forms.alone ?? forms.documented };
}

/** Every model goes to the upstream; one key is checked, as everything else of its books needs a database. */
function litellmConfig(directory, { origin }) {
  const file = join(directory, 'config.json');
  const params = { model: 'openai/*', api_base: `${origin}/v1`, api_key: 'x' };
  const config = {
    model_list: [{ model_name: '*', litellm_params: params }],
    general_settings: { master_key: KEY },
  };
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config));
  return file;
}
