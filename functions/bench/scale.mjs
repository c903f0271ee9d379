// What one request costs the service as it becomes larger, and many streams at once.
import { ask, chat, checkedStreams } from './load.mjs';
import { treeOf } from './processes.mjs';
import { figure, growthOf, median } from './report.mjs';

const MODEL = 'fake-draft';
const REPEATS = 8;
const STREAM_CHUNKS = 100;

/** Each is measured at its sizes; a unit should not cost more among many than among few. */
const CURVES = [
  {
    title: 'participants, one round',
    sizes: [1, 8, 16],
    bodyOf: (size) => ensemble({ models: Array(size).fill(MODEL), rounds: 1 }),
  },
  {
    title: 'rounds, three participants',
    sizes: [1, 5, 10],
    bodyOf: (size) => ensemble({ models: Array(3).fill(MODEL), rounds: size }),
  },
  {
    title: 'turns of 200 characters before the question',
    sizes: [2, 100, 200],
    bodyOf: (size) => ({ ...chat(MODEL), messages: conversation(size) }),
  },
];

/** The rows of the scale table: CPU at each size, and a unit's among many ÷ among few. */
export async function scale({ to, pid }) {
  const rows = [['what grows', 'sizes', 'CPU, ms', 'a unit later ÷ earlier']];
  for (const { title, sizes, bodyOf } of CURVES) {
    const costs = [];
    for (const size of sizes) costs.push(await cpuOf(pid, REPEATS, () => ask(to, bodyOf(size))));
    rows.push([title, sizes.join(', '), costs.map(figure).join(', '), figure(growthOf(sizes, costs))]);
  }
  for (const count of [50, 500]) rows.push(await streamsRow({ to, pid }, count));
  return rows;
}

async function cpuOf(pid, times, work) {
  await work();
  const samples = [];
  for (let sample = 0; sample < 3; sample += 1) {
    const before = treeOf(pid).cpuMs();
    for (let time = 0; time < times; time += 1) await work();
    samples.push((treeOf(pid).cpuMs() - before) / times);
  }
  return median(samples);
}

async function streamsRow({ to, pid }, count) {
  const tree = treeOf(pid);
  tree.forgetPeak();
  const [cpuBeforeMs, beforeMib] = [tree.cpuMs(), tree.residentMib()];
  const { wallMs } = await checkedStreams(to, `fake-stream-${STREAM_CHUNKS}`, { count, width: count });
  const chunkUs = ((tree.cpuMs() - cpuBeforeMs) * 1_000) / (count * STREAM_CHUNKS);
  const eachMib = (tree.peakMib() - beforeMib) / count;
  const told = `${figure(wallMs)} wall; ${figure(chunkUs)} µs a chunk; ${figure(eachMib)} MiB each`;
  return [`streams of ${STREAM_CHUNKS} chunks at once, none lost or mixed`, String(count), told, '–'];
}

function ensemble(options) {
  return chat(MODEL, { stream: true, ai_ensemble: { strategy: 'competitive_refinement', ...options } });
}

function conversation(turns) {
  const text = (turn) => `Turn ${turn} ${'says what it has to say. '.repeat(20)}`.slice(0, 200);
  const history = Array.from({ length: turns }, (_, turn) => ({
    role: turn % 2 === 0 ? 'user' : 'assistant',
    content: text(turn),
  }));
  return [...history, { role: 'user', content: 'Say something short.' }];
}
