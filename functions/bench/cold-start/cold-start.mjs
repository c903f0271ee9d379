import { setTimeout as sleep } from 'node:timers/promises';
import { inTurn } from '../outside/turns.mjs';
import { cpuMs } from '../process-figures.mjs';
import { firstAnswerMs } from '../servers.mjs';
import { contenders } from './contenders.mjs';

/** What is measured of a process that has just been started. */
export const COLD = { 'cold-start': coldStart };

const POLL_MS = 5;
const PRELOADED = ['--require', './bench/cold-start/phases.cjs'];

/**
 * From the start of a process to its first answered request, a pass-through with a valid key, each round in processes
 * started anew, and in turn. Once more in each round with what tells where the time goes, which is not counted.
 * Returns who took part and the values of each round by name.
 */
async function coldStart({ roundsAsked, ...bench }) {
  const candidates = await contenders(bench);
  // The files of the first start come from the disk, later ones from memory.
  await inTurn(candidates, 0, ({ start }) => timed(start));
  const rounds = [];
  for (let round = 0; round < roundsAsked; round += 1) {
    process.stderr.write(`round ${round + 1} of ${roundsAsked}, cold-start …\n`);
    const times = await inTurn(candidates, round, ({ start }) => timed(start));
    const phases = await inTurn(candidates, round, ({ start }) => phased(start));
    rounds.push(Object.fromEntries(candidates.map(({ name }) => [name, { ...times[name], ...phases[name] }])));
  }
  return { candidates, rounds };
}

async function timed(start) {
  const server = await start();
  try {
    const endMs = await firstAnswerMs(server, server.to);
    return { answerMs: endMs - server.startedMs, cpuMs: cpuMs(server.pid) };
  } finally {
    await server.stop();
  }
}

async function phased(start) {
  const server = await start(PRELOADED);
  try {
    await firstAnswerMs(server, server.to);
    const told = await phasesOf(server);
    const { loadingMs, loadedFirstMs, connectingMs, connectedFirstMs, files } = told;
    const [loadLaterMs, requestMs] = [loadingMs - loadedFirstMs, told.answeredMs - told.askedMs];
    return {
      bootMs: told.bootedMs - server.startedMs,
      loadFirstMs: loadedFirstMs,
      startRestMs: told.listeningMs - told.bootedMs - loadedFirstMs,
      loadLaterMs,
      connectingMs,
      requestRestMs: requestMs - loadLaterMs - (connectingMs - connectedFirstMs),
      files,
    };
  } finally {
    await server.stop();
  }
}

async function phasesOf(server) {
  for (;;) {
    const [, json] = /^PHASES (.+)$/m.exec(server.output()) ?? [];
    if (json !== undefined) return JSON.parse(json);
    if (!server.running()) throw new Error(`the server ended: ${server.output()}`);
    await sleep(POLL_MS);
  }
}
