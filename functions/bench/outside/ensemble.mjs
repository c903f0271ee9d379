import { ask, chat, parseStream } from '../load.mjs';
import { median, unionMs } from '../stats.mjs';
import { inTurn } from './turns.mjs';

const RUNS = 5;
const MODEL_MS = 200;
const MODEL = `fake-${MODEL_MS}ms`;
const PARTICIPANTS = 3;

/**
 * How each of those that have ensembles asks one model several times and then once more: what is sent, how many calls
 * that makes and how many of them follow each other. Bare is a client that makes our four calls itself.
 */
const WAYS = {
  bare: { calls: PARTICIPANTS + 1, steps: 2, play: byHand },
  ours: { calls: PARTICIPANTS + 1, steps: 2, play: (to, tag) => asked(to, ensembleOf(tag)) },
  // It asks for three replies in one call, then for a critique, then for the answer.
  optillm: { calls: 3, steps: 3, play: (to, tag) => asked(to, chat(`moa-${MODEL}`, { tag })) },
};

/** Three answers at 200 ms each and one more of them. Own time is that in which no call to the upstream is open. */
export const ensemble = {
  duty: 'ensembles',
  figures: [
    {
      ...{ key: 'ofIdeal', title: `ensemble of ${PARTICIPANTS} + 1, ${MODEL_MS} ms a call: wall ÷ ideal`, unit: '' },
      target: { atMost: 1.02 },
    },
    {
      ...{ key: 'ownMs', title: `ensemble of ${PARTICIPANTS} + 1: time with no call open`, unit: 'ms' },
      target: { atMost: 8 },
    },
    {
      ...{ key: 'statusMs', title: `ensemble of ${PARTICIPANTS} + 1: first status chunk`, unit: 'ms' },
      target: { atMost: 50 },
    },
  ],
  once: (contenders, { round, upstream, newTag }) =>
    inTurn(contenders, round, async ({ name, to }) => {
      const runs = [];
      for (let run = 0; run < RUNS; run += 1) runs.push(await played(upstream, to, { ...WAYS[name], tag: newTag() }));
      const middle = (key) => median(runs.map((run) => run[key]));
      const statusMs = middle('statusMs');
      return { ofIdeal: middle('ofIdeal'), ownMs: middle('ownMs'), ...(statusMs > 0 && { statusMs }) };
    }),
};

async function played(upstream, to, { calls, steps, play, tag }) {
  const { sentMs, endMs, firstStatusMs } = await play(to, tag);
  const seen = (await upstream.records()).filter((record) => record.tag === tag);
  if (seen.length !== calls) throw new Error(`${seen.length} upstream calls, ${calls} expected`);
  const openMs = unionMs(seen.map((call) => [Math.max(sentMs, call.openedMs), Math.min(endMs, call.closedMs)]));
  return {
    ofIdeal: (endMs - sentMs) / (steps * MODEL_MS),
    ownMs: endMs - sentMs - openMs,
    statusMs: (firstStatusMs ?? Number.NaN) - sentMs,
  };
}

function ensembleOf(tag) {
  const models = Array.from({ length: PARTICIPANTS }, () => MODEL);
  return chat(MODEL, { tag, stream: true, ai_ensemble: { models } });
}

async function asked(to, body) {
  const reply = await ask(to, body);
  const { done, error } = body.stream ? parseStream(reply.text) : { done: reply.text.includes('"content"') };
  if (!done) throw new Error(`broken ensemble: ${JSON.stringify(error)}`);
  return reply;
}

async function byHand(to, tag) {
  const one = () => ask(to, chat(MODEL, { tag, stream: true }));
  const drafts = await Promise.all(Array.from({ length: PARTICIPANTS }, one));
  const { endMs } = await one();
  return { sentMs: Math.min(...drafts.map(({ sentMs }) => sentMs)), endMs };
}
