// Measures the built service on this machine from outside, against a fake upstream, in rounds, as medians, beside functions
// that do less and, with `--peers`, gateways of others (docs/performance.md). The exit code says whether the measuring
// worked, not whether the figures please: one that misses its target is printed as MISS.
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DASHBOARD_BUILD, FUNCTION_BUILD } from '../scripts/builds.mjs';
import { COLD_FIGURES, coldContenders, coldStart } from './cold-start.mjs';
import { ownContenders, startUpstream } from './contenders.mjs';
import { ask, atOnce, chat, firstAnswerMs } from './load.mjs';
import { MEASURES, START_FIGURES } from './measures.mjs';
import { peers } from './peers/peers.mjs';
import { FUNCTIONS, treeOf } from './processes.mjs';
import { comparison, figure, renderTable } from './report.mjs';
import { scale } from './scale.mjs';
import { waiting } from './waiting.mjs';
import { wires } from './wires.mjs';

const WARM_UP_REQUESTS = 100;
const IDLE_MS = 2_000;
const NAMES = [...Object.keys(MEASURES), 'cold-start', 'scale', 'wires', 'waiting'];

const options = readOptions();
process.chdir(FUNCTIONS);
FUNCTION_BUILD.ensure();
DASHBOARD_BUILD.ensure();
console.log(
  `Node ${process.version}, ${availableParallelism()} cores shared by all, load ${figure(loadavg()[0])} before.`,
);
const upstream = await startUpstream();
const names = Object.keys(MEASURES).filter((name) => options.only.includes(name));
if (names.length > 0) await compare();
if (options.only.includes('cold-start')) await compareColdStarts();
if (options.only.includes('scale')) await showScale();
if (options.only.includes('wires')) await compareWires();
if (options.only.includes('waiting')) show(await waiting(upstream));
process.exit(0);

function readOptions() {
  const known = {
    only: { type: 'string', multiple: true, default: NAMES },
    rounds: { type: 'string', default: '4' },
    peers: { type: 'boolean', default: false },
  };
  try {
    const { values } = parseArgs({ options: known });
    const unknown = values.only.find((name) => !NAMES.includes(name));
    if (unknown !== undefined) throw new Error(`no measure named ${unknown}: choose from ${NAMES.join(', ')}`);
    if (!/^[1-9]\d?$/.test(values.rounds)) throw new Error(`--rounds takes 1 to 99, not ${values.rounds}`);
    return { ...values, rounds: Number(values.rounds) };
  } catch (error) {
    console.error(error.message);
    return process.exit(2);
  }
}

/** All servers beside each other: started anew in each round, another one first each time. */
async function compare() {
  const contenders = [...(await ownContenders(upstream)), ...(options.peers ? peers(upstream) : [])];
  // The first start of a program compiles it, or part of it, and keeps that for the next.
  await inTurn(contenders, 0, async (one) => (await begun(one)).stop());
  const rounds = [];
  for (let round = 0; round < options.rounds; round += 1) rounds.push(await playRound(contenders, round));
  const figures = [...START_FIGURES, ...names.flatMap((name) => MEASURES[name].figures)];
  show(comparison({ contenders, rounds, figures }));
}

async function playRound(contenders, round) {
  const servers = await inTurn(contenders, round, begun);
  try {
    await sleep(IDLE_MS);
    const idle = async ({ name }) => ({
      startMs: servers[name].startMs,
      idleMib: treeOf(servers[name].pid).residentMib(),
    });
    const values = await inTurn(contenders, round, idle);
    await inTurn(contenders, round, ({ name }) => warmUp(servers[name]));
    for (const name of names) {
      console.error(`round ${round + 1} of ${options.rounds}, ${name} …`);
      const { duty, once } = MEASURES[name];
      const able = contenders.filter(({ duties }) => duties.includes(duty));
      const found = await inTurn(able, round, (one) => once({ ...servers[one.name], name: one.name }, { upstream }));
      for (const [who, figures] of Object.entries(found)) Object.assign(values[who], figures);
    }
    return values;
  } finally {
    await Promise.all(Object.values(servers).map(({ stop }) => stop()));
  }
}

async function compareColdStarts() {
  const contenders = await coldContenders(upstream);
  await inTurn(contenders, 0, coldStart);
  const rounds = [];
  for (let round = 0; round < options.rounds; round += 1) rounds.push(await inTurn(contenders, round, coldStart));
  show(comparison({ contenders, rounds, figures: COLD_FIGURES }));
}

async function showScale() {
  const server = await begun(await ourContender());
  await warmUp(server);
  show(await scale(server));
  await server.stop();
}

async function compareWires() {
  const ours = await ourContender();
  show(await wires(() => begun(ours), options.rounds));
}

async function ourContender() {
  return (await ownContenders(upstream)).find(({ name }) => name === 'ours');
}

async function begun(contender) {
  const server = await contender.start();
  return { ...server, startMs: (await firstAnswerMs(server, server.to)) - server.startedMs };
}

/** Every fourth request is streamed. */
async function warmUp({ to }) {
  await atOnce(WARM_UP_REQUESTS, 4, (index) => ask(to, chat('fake-instant', { stream: index % 4 === 0 })));
}

/** Lets every contender do one piece of work, one after the other. A peer that fails is out from then on; others end the run. */
async function inTurn(contenders, turn, work) {
  const results = {};
  const at = turn % contenders.length;
  for (const one of [...contenders.slice(at), ...contenders.slice(0, at)]) {
    if (one.isOut) continue;
    try {
      results[one.name] = await work(one);
    } catch (error) {
      if (!one.isPeer) throw new Error(`${one.name}: ${error.message}`, { cause: error });
      one.isOut = true;
      console.error(`${one.title} is out: ${error.message.split('\n')[0]}`);
    }
  }
  return results;
}

function show(rows) {
  console.log(`\n${renderTable(rows)}\n`);
}
