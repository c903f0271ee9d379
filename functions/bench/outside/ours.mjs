import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { npmCommand } from '../../scripts/npm-command.mjs';
import { keyRing } from '../keys.mjs';
import { target } from '../load.mjs';
import { monotonicMs } from '../monotonic.mjs';
import { freePort, seedKeys, spawnServer } from '../servers.mjs';
import { FUNCTIONS, spawnProgram, temporaryDirectory } from '../workspace.mjs';

const USERS = 300;
/** What `npm start` and the image run Node with. */
export const NODE_ARGS = ['--max-semi-space-size=8', '--v8-pool-size=2'];

/** The service by `npm start`, with its log, on a store of its own with hundreds of users who take turns. */
export async function ours({ settings }) {
  const keys = await seedKeys(settings, USERS);
  const place = () => {
    const directory = join(temporaryDirectory(), 'data');
    cpSync(settings.DATA_DIR, directory, { recursive: true });
    return { ...settings, DATA_DIR: directory, LOG_LEVEL: 'info' };
  };
  const start = async (by) => {
    const server = await by(place());
    return { ...server, to: target(server.origin, keyRing(keys)) };
  };
  const documented = () => start(npmStart);
  return {
    ...{ name: 'ours', title: 'ours', duties: ['answers', 'streams', 'ensembles'] },
    start: documented,
    forms: { documented, alone: () => start((settings) => spawnServer(settings, NODE_ARGS)) },
  };
}

async function npmStart(settings) {
  const port = await freePort();
  const startedMs = monotonicMs();
  const server = spawnProgram(npmCommand(['start']), {
    cwd: resolve(FUNCTIONS, '..'),
    env: { ...settings, FUNCTION_SOURCE: undefined, PORT: String(port) },
  });
  return { ...server, startedMs, origin: `http://127.0.0.1:${port}` };
}
