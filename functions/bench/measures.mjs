// What is measured of each server once it has answered 100 requests. `duty` says which servers take part; `once` resolves
// with the values of the figures in one round.
import { PACE_MS } from './fake-models.mjs';
import { ask, atOnce, chat, checkedStreams, contentOf, newTag } from './load.mjs';
import { monotonicMs, treeOf } from './processes.mjs';
import { median, quantile, unionMs } from './report.mjs';

const WIDTH = 32;
const STREAMS = 200;
const CHUNKS = 50;
const BURST = { count: 60, width: 20, chunks: 200 };
const CALL_MS = 200;
const PANEL = 3;

/** Taken at the start of every round, of every server. */
export const START_FIGURES = [
  { key: 'startMs', title: 'start to first answer', unit: 'ms', atMost: 700 },
  { key: 'idleMib', title: 'idle memory after it', unit: 'MiB' },
];

export const MEASURES = {
  latency: {
    duty: 'answers',
    figures: [
      { key: 'medianMs', title: 'one at a time: median', unit: 'ms', isAdded: true },
      { key: 'p99Ms', title: 'one at a time: p99', unit: 'ms', isAdded: true },
    ],
    async once({ to }) {
      const times = await atOnce(150, 1, async () => {
        const { sentMs, endMs } = await ask(to, chat('fake-instant'));
        return endMs - sentMs;
      });
      return { medianMs: median(times), p99Ms: quantile(times, 0.99) };
    },
  },
  throughput: {
    duty: 'answers',
    figures: [
      { key: 'perSecond', title: `${WIDTH} at a time: requests`, unit: '/s', atLeast: 'sdk' },
      { key: 'cpuEachMs', title: `${WIDTH} at a time: CPU of a request`, unit: 'ms', atMost: 'sdk' },
    ],
    async once({ to, pid }) {
      const tree = treeOf(pid);
      const [cpuBeforeMs, startedMs] = [tree.cpuMs(), monotonicMs()];
      let done = 0;
      await atOnce(1_000, WIDTH, async () => {
        // A slow server is asked less often.
        if (monotonicMs() - startedMs > 6_000) return;
        await ask(to, chat('fake-instant'));
        done += 1;
      });
      return {
        perSecond: (done * 1_000) / (monotonicMs() - startedMs),
        cpuEachMs: (tree.cpuMs() - cpuBeforeMs) / done,
      };
    },
  },
  'first-text': {
    duty: 'streams',
    figures: [{ key: 'firstMs', title: 'first text of a stream: median', unit: 'ms', isAdded: true, atMost: 2.5 }],
    async once({ to }) {
      const { firstMs } = await checkedStreams(to, 'fake-burst-1', { count: 50, width: 1 });
      return { firstMs: median(firstMs) };
    },
  },
  chunks: {
    duty: 'streams',
    figures: [{ key: 'chunkUs', title: 'CPU of a chunk, back to back', unit: 'µs' }],
    async once({ to, pid }) {
      const tree = treeOf(pid);
      const beforeMs = tree.cpuMs();
      await checkedStreams(to, `fake-burst-${BURST.chunks}`, BURST);
      return { chunkUs: ((tree.cpuMs() - beforeMs) * 1_000) / (BURST.count * BURST.chunks) };
    },
  },
  streams: {
    duty: 'streams',
    figures: [
      {
        key: 'wallMs',
        title: `${STREAMS} streams, none lost: wall (ideal ${CHUNKS * PACE_MS})`,
        unit: 'ms',
        atMost: 1_000,
      },
      { key: 'streamFirstMs', title: `${STREAMS} streams: first text`, unit: 'ms' },
      { key: 'peakMib', title: `${STREAMS} streams: memory at the peak`, unit: 'MiB' },
    ],
    async once({ to, pid }) {
      const tree = treeOf(pid);
      tree.forgetPeak();
      const { wallMs, firstMs } = await checkedStreams(to, `fake-stream-${CHUNKS}`, { count: STREAMS, width: STREAMS });
      return { wallMs, streamFirstMs: median(firstMs), peakMib: tree.peakMib() };
    },
  },
  ensemble: {
    duty: 'ensembles',
    figures: [
      { key: 'ownMs', title: `ensemble of ${PANEL} + 1: time with no call open`, unit: 'ms', atMost: 10 },
      { key: 'statusMs', title: `ensemble of ${PANEL} + 1: first status`, unit: 'ms' },
    ],
    async once(contender, { upstream }) {
      const runs = [];
      for (let run = 0; run < 5; run += 1) runs.push(await ensembleOnce(contender, upstream));
      const middle = (key) => median(runs.map((one) => one[key]));
      return { ownMs: middle('ownMs'), ...(runs[0].statusMs > 0 && { statusMs: middle('statusMs') }) };
    },
  },
  agent: {
    duty: 'ensembles',
    figures: [
      { key: 'loopMs', title: 'ensemble in a loop of tools: time with no call open', unit: 'ms' },
      { key: 'loopAddedMs', title: 'the same, more than one model', unit: 'ms', atMost: 5 },
    ],
    async once(contender, { upstream }) {
      return contender.records || contender.name === 'optillm' ? {} : agentLoop(contender, upstream);
    },
  },
};

/** Results of tools in a loop of 20, as an agent sends them: with the system message 100 KB. */
const LOOP = Array.from({ length: 20 }, (_, at) => [
  { role: 'assistant', content: null, tool_calls: [toolCall(at)] },
  { role: 'tool', tool_call_id: `call_${at}`, content: 'if (a < b) return "x";\n'.repeat(180) },
]);
const TOOLS = [{ type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } }];

function toolCall(at) {
  return { id: `call_${at}`, type: 'function', function: { name: 'read_file', arguments: `{"path":"${at}.ts"}` } };
}

/** A loop of tools: time with no call open of an ensemble's requests after the first, and how much more that is than one model's. */
async function agentLoop({ to }, upstream) {
  // What is kept of a turn is its user's.
  const key = to.authorization();
  const own = { ...to, authorization: () => key };
  const [tag, model] = [newTag(), `fake-${CALL_MS}ms`];
  const { messages, ...fields } = chat(model, { tag, tools: TOOLS, stream: true });
  const system = { role: 'system', content: 'Read a file before you change it.\n'.repeat(400) };
  const ensemble = { ai_ensemble: { models: Array.from({ length: PANEL }, () => model) } };
  const asked = { loop: [], plain: [] };
  for (let turn = 0; turn <= LOOP.length; turn += 2) {
    const body = { ...fields, messages: [system, ...messages, ...LOOP.slice(0, turn).flat()] };
    asked.plain.push(await streamed(own, body));
    asked.loop.push(await streamed(own, { ...body, ...ensemble }));
  }
  const calls = (await upstream.records()).filter((record) => record.tag === tag);
  const ownMs = ({ sentMs, endMs }) => {
    const open = calls.filter(({ openedMs }) => openedMs >= sentMs && openedMs <= endMs);
    if (open.length !== 1) throw new Error(`${open.length} upstream calls in a loop of tools`);
    return endMs - sentMs - unionMs(open.map((call) => [call.openedMs, Math.min(endMs, call.closedMs ?? endMs)]));
  };
  const [loopMs, plainMs] = [asked.loop, asked.plain].map((replies) => median(replies.slice(1).map(ownMs)));
  return { loopMs, loopAddedMs: loopMs - plainMs };
}

/** One ensemble: bare is a client that makes the calls itself, optillm has a mixture of agents of its own. */
async function ensembleOnce({ name, to, records }, upstream) {
  const [tag, model] = [newTag(), `fake-${CALL_MS}ms`];
  const models = Array.from({ length: PANEL }, () => model);
  const { sentMs, endMs, statusMs } =
    name === 'bare'
      ? await byHand(to, models, tag)
      : name === 'optillm'
        ? await ask(to, chat(`moa-${model}`, { tag }))
        : await streamed(to, chat(model, { tag, stream: true, ai_ensemble: { models } }));
  const calls = (await (records ?? upstream.records)()).filter((record) => record.tag === tag);
  if (calls.length < PANEL) throw new Error(`${calls.length} upstream calls`);
  const open = calls.map(({ openedMs, closedMs }) => [Math.max(sentMs, openedMs), Math.min(endMs, closedMs ?? endMs)]);
  return { ownMs: endMs - sentMs - unionMs(open), statusMs: statusMs - sentMs };
}

async function streamed(to, body) {
  const reply = await ask(to, body);
  if (contentOf(reply.text) === undefined) throw new Error(`broken ensemble: ${reply.text.slice(-300)}`);
  return reply;
}

async function byHand(to, models, tag) {
  const one = (model) => ask(to, chat(model, { tag, stream: true }));
  const drafts = await Promise.all(models.map(one));
  const { endMs } = await one(models[0]);
  return { sentMs: Math.min(...drafts.map(({ sentMs }) => sentMs)), endMs };
}
