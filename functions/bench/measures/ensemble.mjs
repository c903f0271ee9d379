import { ask, chat, parseStream } from '../load.mjs';
import { bothWays, rounds } from '../rounds.mjs';
import { median, unionMs } from '../stats.mjs';
import { added, atMost, figure } from '../table.mjs';

const MODEL = 'fake-200ms';
const MODEL_MS = 200;
const PARTICIPANTS = 3;
const RUNS = 12;

/**
 * Three participants at 200 ms each and an arbiter at 200 ms. Own time is what is left of the request when the time in
 * which an upstream call was open is taken away; "direct" is the same four calls made by the client itself.
 */
export async function ensemble({ direct, ours, upstream, newTag }) {
  await ownTime(upstream, () => viaOurs(ours, newTag()));
  const results = await rounds(RUNS, 12_000, (round) =>
    bothWays(
      round,
      () => ownTime(upstream, () => byHand(direct, newTag())),
      () => ownTime(upstream, () => viaOurs(ours, newTag())),
    ),
  );
  const wasMs = median(results.map(({ direct }) => direct.ownMs));
  const isMs = median(results.map(({ ours }) => ours.ownMs));
  const wallMs = median(results.map(({ ours }) => ours.wallMs));
  const statusMs = median(results.map(({ ours }) => ours.statusMs));
  return [
    {
      measure: `ensemble of ${PARTICIPANTS} + arbiter, ${MODEL_MS} ms each: time with no upstream call open`,
      direct: figure(wasMs, 'ms'),
      ours: figure(isMs, 'ms'),
      change: added(wasMs, isMs, 'ms'),
      ...atMost(15, isMs, 'ms'),
    },
    {
      measure: `  … whole reply (ideal ${2 * MODEL_MS})`,
      ours: figure(wallMs, 'ms'),
      change: `× ${(wallMs / (2 * MODEL_MS)).toFixed(3)} of ideal`,
    },
    { measure: '  … first status chunk', ours: figure(statusMs, 'ms'), ...atMost(50, statusMs, 'ms') },
  ];
}

async function ownTime(upstream, run) {
  const { tag, sentMs, endMs, statusMs } = await run();
  const calls = (await upstream.records()).filter((record) => record.tag === tag);
  if (calls.length !== PARTICIPANTS + 1)
    throw new Error(`${calls.length} upstream calls, ${PARTICIPANTS + 1} expected`);
  const openMs = unionMs(calls.map((call) => [Math.max(sentMs, call.openedMs), Math.min(endMs, call.closedMs)]));
  return { ownMs: endMs - sentMs - openMs, wallMs: endMs - sentMs, statusMs };
}

async function viaOurs(to, tag) {
  const models = Array.from({ length: PARTICIPANTS }, () => MODEL);
  const reply = await ask(to, chat(MODEL, { tag, stream: true, ai_ensemble: { models } }));
  const { done, error } = parseStream(reply.text);
  if (!done || reply.firstStatusMs === null) throw new Error(`broken ensemble stream: ${JSON.stringify(error)}`);
  return { tag, ...reply, statusMs: reply.firstStatusMs - reply.sentMs };
}

async function byHand(to, tag) {
  const one = () => ask(to, chat(MODEL, { tag, stream: true }));
  const drafts = await Promise.all(Array.from({ length: PARTICIPANTS }, one));
  const { endMs } = await one();
  return { tag, sentMs: Math.min(...drafts.map(({ sentMs }) => sentMs)), endMs };
}
