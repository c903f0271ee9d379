// What a pass-through costs by the protocol in which it is asked for, beside chat completions at /v1 in the same process.
import { fakeModel, textOf } from './fake-models.mjs';
import { ask, atOnce, chat, contentOf, newTag } from './load.mjs';
import { treeOf } from './processes.mjs';
import { figure, median } from './report.mjs';

/** Cost of a wire at most, in multiples of chat completions. */
const RATIO_MAX = 1.15;
const SAMPLES = 5;
const WIDTH = 16;

/** Replies in one piece, and streams of many deltas; a sample takes some 200 ms of CPU, many times the system's tick. */
const KINDS = [
  { title: 'whole', model: 'fake-instant', count: 300, stream: false },
  { title: 'streamed, 200 deltas', model: 'fake-burst-200', count: 50, stream: true },
];

/** A wire's address, the body of a request, and its text read from a reply, in one piece or streamed. */
const WIRES = [
  { title: 'chat, /v1', path: '/v1/chat/completions', bodyOf: chat, textIn: chatText, streamedIn: contentOf },
  { title: 'chat, strict', path: '/openai/v1/chat/completions', bodyOf: chat, textIn: chatText, streamedIn: contentOf },
  {
    title: 'Responses',
    path: '/openai/v1/responses',
    bodyOf: (model, options) => {
      const { messages, ...body } = chat(model, options);
      return { ...body, input: messages[0].content };
    },
    textIn: ({ output }) => output.find(({ type }) => type === 'message').content[0].text,
    streamedIn: (text) =>
      deltasOf(text, { last: 'response.completed', kind: 'response.output_text.delta', piece: ({ delta }) => delta }),
  },
  {
    title: 'Messages',
    path: '/anthropic/v1/messages',
    bodyOf: (model, options) => ({ ...chat(model, options), max_tokens: 4_096 }),
    textIn: ({ content }) => content.find(({ type }) => type === 'text').text,
    streamedIn: (text) =>
      deltasOf(text, { last: 'message_stop', kind: 'content_block_delta', piece: ({ delta }) => delta.text }),
  },
];

/** The rows of the table. Each of `starts` is a new process, in which all wires take turns; resolves with medians of all samples. */
export async function wires(begun, starts) {
  const samples = [];
  for (let start = 0; start < starts; start += 1) {
    const server = await begun();
    // Compiled code settles only after some hundred requests of each kind.
    await playAll(server, 0);
    for (let sample = 0; sample < SAMPLES; sample += 1) samples.push(await playAll(server, sample));
    await server.stop();
  }
  const heading = [
    'pass-through by',
    ...KINDS.flatMap(({ title }) => [`${title}: CPU, ms`, '÷ chat']),
    'target',
    'ok?',
  ];
  return [heading, ...WIRES.map(({ title }) => rowOf(title, samples))];
}

/** One sample of every kind by every wire, another one first each time: CPU of a request, by kind and wire. */
async function playAll(server, turn) {
  const found = {};
  for (const kind of KINDS) {
    found[kind.title] = {};
    const at = turn % WIRES.length;
    for (const wire of [...WIRES.slice(at), ...WIRES.slice(0, at)]) {
      found[kind.title][wire.title] = await cpuOf(server, wire, kind).catch((error) => {
        throw new Error(`POST ${wire.path}, ${kind.title}: ${error.message}`, { cause: error });
      });
    }
  }
  return found;
}

async function cpuOf({ to, pid }, { path, bodyOf, textIn, streamedIn }, { model, count, stream }) {
  const at = { ...to, url: new URL(path, to.url).href };
  const tags = Array.from({ length: count }, newTag);
  const beforeMs = treeOf(pid).cpuMs();
  const replies = await atOnce(count, WIDTH, (index) => ask(at, bodyOf(model, { stream, tag: tags[index] })));
  const cpuMs = treeOf(pid).cpuMs() - beforeMs;
  const read = stream ? streamedIn : (text) => textIn(JSON.parse(text));
  const broken = replies.filter(({ text }, index) => read(text) !== textOf(fakeModel(model), tags[index]));
  if (broken.length > 0) throw new Error(`${broken.length} of ${count} replies broken: ${broken[0].text.slice(-300)}`);
  return cpuMs / count;
}

function rowOf(title, samples) {
  const [base] = WIRES;
  const cells = KINDS.map((kind) => {
    const of = (sample, wire) => sample[kind.title][wire];
    const ratio = median(samples.map((sample) => of(sample, title) / of(sample, base.title)));
    return { cpuMs: median(samples.map((sample) => of(sample, title))), ratio };
  });
  const isMet = cells.every(({ ratio }) => ratio <= RATIO_MAX);
  const aim = title === base.title ? ['', ''] : [`≤ ${RATIO_MAX}`, isMet ? 'ok' : 'MISS'];
  return [title, ...cells.flatMap(({ cpuMs, ratio }) => [figure(cpuMs), figure(ratio)]), ...aim];
}

function chatText({ choices }) {
  return choices[0].message.content;
}

/** The text of a stream whose events have names; undefined where it does not end with the last of them. */
function deltasOf(text, { last, kind, piece }) {
  const events = text.split('\n\n').flatMap((event) => {
    const data = event.split('\n').find((line) => line.startsWith('data: '));
    return data === undefined ? [] : [JSON.parse(data.slice('data: '.length))];
  });
  if (events.at(-1)?.type !== last) return undefined;
  return events.map((event) => (event.type === kind ? piece(event) : '')).join('');
}
