import { target } from '../../load.mjs';
import { bundle, firstAnswerMs, seedKeys, spawnServer } from '../../servers.mjs';
import { temporaryDirectory } from '../../workspace.mjs';
import { COUNTING_ARGS, toldByProcess } from '../told-by-process.mjs';

/** So many requests a minute of one user, the most that can be set: what is kept of a minute must not be what grows. */
const REQUESTS_A_MINUTE = '1000';

/** The settings of servers on a store of their own, with models inside the process, and a key of each of its users. */
export async function ownStore({ settings }, users) {
  const own = {
    ...settings,
    DATA_DIR: temporaryDirectory(),
    RATE_LIMIT_RPM: REQUESTS_A_MINUTE,
    // What is counted is of the requests that are made here.
    FUNCTION_SOURCE: await bundle('instant-models', settings.TMPDIR),
  };
  return { settings: own, keys: await seedKeys(own, users) };
}

/** Plays `work` with a server on such a store, whose users take turns from the first on unless `to` is asked for others. */
export async function withCountedServer({ settings, keys }, work) {
  const server = await spawnServer(settings, COUNTING_ARGS);
  try {
    const as = (some) => {
      let asked = 0;
      return target(server.origin, () => `Bearer ${some[asked++ % some.length]}`);
    };
    await firstAnswerMs(server, as(keys));
    return await work({ server, as, keys });
  } finally {
    await server.stop();
  }
}

/** What one request of `count` took: CPU ms and KiB of the heap; and what the server then holds, MiB. */
export async function costOf(server, count, asked) {
  await toldByProcess(server);
  for (let index = 0; index < count; index += 1) await asked(index);
  const { cpuMs, takenMib, usedMib } = await toldByProcess(server);
  return { cpuMs: cpuMs / count, takenKib: (takenMib * 1_024) / count, usedMib };
}
