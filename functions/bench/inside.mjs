import { fleet } from './fleet/measure.mjs';
import { keyRing } from './keys.mjs';
import { ask, atOnce, chat, target } from './load.mjs';
import { burst } from './measures/burst.mjs';
import { disconnect } from './measures/disconnect.mjs';
import { evaluations } from './measures/evaluations.mjs';
import { start } from './measures/start.mjs';
import { strategies } from './measures/strategies.mjs';
import { traces } from './measures/traces.mjs';
import { wide } from './measures/wide.mjs';
import { wideMemory } from './measures/wide-memory.mjs';
import { curves } from './scale/curves/curves.mjs';
import { scale } from './scale/scale.mjs';
import { firstAnswerMs, seedKeys, spawnServer } from './servers.mjs';

/** What is measured of one warm server beside its upstream alone. */
export const INSIDE = {
  burst,
  disconnect,
  strategies,
  evaluations,
  traces,
  wide,
  'wide-memory': wideMemory,
  start,
  scale,
  curves,
  fleet,
};
const USERS = 700;
const WARM_UP_REQUESTS = 600;

/** Plays the measures one after the other on one server; returns the rows of their table. */
export async function inside({ names, upstream, settings, newTag }) {
  const authorization = keyRing(await seedKeys(settings, USERS));
  const server = await spawnServer(settings);
  const bench = {
    ...{ upstream, settings, authorization, server, newTag },
    direct: target(upstream.origin, () => 'Bearer none'),
    ours: target(server.origin, authorization),
  };
  await firstAnswerMs(server, bench.ours);
  await warmUp(bench);
  const rows = [];
  for (const name of names) {
    process.stderr.write(`${name} …\n`);
    try {
      rows.push(...(await INSIDE[name](bench)));
    } catch (error) {
      throw new Error(`${name} broke: ${error.message}\n${server.output()}`, { cause: error });
    }
  }
  await server.stop();
  return rows;
}

/** Lets both sides compile their hot paths, streamed and not. */
async function warmUp({ direct, ours }) {
  for (const to of [direct, ours]) {
    await atOnce(WARM_UP_REQUESTS, 16, (index) => ask(to, chat('fake-instant', { stream: index % 4 === 0 })));
    await atOnce(4, 2, () => ask(to, chat('fake-burst-2000', { stream: true })));
  }
}
