import { ask, chat, parseStream } from '../load.mjs';
import { bothWays, rounds } from '../rounds.mjs';
import { median } from '../stats.mjs';
import { added, atMost, figure } from '../table.mjs';
import { WAVES_OF_THREE } from './waves.mjs';

const CALL_MS = 200;
/** First text after half of the time, then ten more pieces: streaming shows. */
const MODEL = `fake-prose-${CALL_MS}ms`;
const PARTICIPANTS = 3;
const CASES = Object.keys(WAVES_OF_THREE).flatMap((strategy) => [
  { strategy, roundsAsked: 1, waves: WAVES_OF_THREE[strategy](1) },
  { strategy, roundsAsked: 3, waves: WAVES_OF_THREE[strategy](3) },
]);

/**
 * Every strategy with three participants, all calls at 200 ms, each answer streamed. The ideal is the sum over the waves
 * of the slowest call, 200 ms a wave; "direct" is a client that makes the same waves of calls itself, and so meets the
 * same late timers.
 */
export async function strategies({ direct, ours, upstream, newTag }) {
  for (const one of CASES) await played(upstream, one, () => viaOurs(ours, one, newTag()));
  const results = await rounds(3, 60_000, async (round) => {
    const runs = [];
    for (const one of CASES) {
      runs.push(
        await bothWays(
          round,
          () => played(upstream, one, () => byHand(direct, one, newTag())),
          () => played(upstream, one, () => viaOurs(ours, one, newTag())),
        ),
      );
    }
    return runs;
  });
  const byCase = CASES.map((_, index) => results.map((runs) => runs[index]));
  return [...CASES.map((one, index) => wallRow(one, byCase[index])), ...firstContentRows(byCase)];
}

function wallRow({ strategy, roundsAsked, waves }, runs) {
  const idealMs = waves.length * CALL_MS;
  const handMs = median(runs.map(({ direct }) => direct.wallMs));
  const wallMs = median(runs.map(({ ours }) => ours.wallMs));
  const [ideal, hand] = [wallMs / idealMs, wallMs / handMs];
  return {
    measure: `${strategy}, 3 participants, r = ${roundsAsked}: wall (ideal ${idealMs})`,
    direct: figure(handMs, 'ms'),
    ours: figure(wallMs, 'ms'),
    change: `× ${ideal.toFixed(3)} of ideal, × ${hand.toFixed(3)} of by hand`,
    ...atMost(1.03, ideal, '× ideal'),
  };
}

function firstContentRows(byCase) {
  const pooled = (kind, key) => byCase.flatMap((runs) => runs.map((run) => run[kind][key]));
  const was = median(pooled('direct', 'firstContentMs'));
  const is = median(pooled('ours', 'firstContentMs'));
  const slowest = Math.max(...byCase.map((runs) => median(runs.map(({ ours }) => ours.firstContentMs))));
  return [
    {
      measure: "first content after the arbiter's first token: median of all",
      direct: figure(was, 'ms'),
      ours: figure(is, 'ms'),
      change: added(was, is, 'ms'),
      ...atMost(5, is, 'ms'),
    },
    { measure: '  … median of the slowest case', ours: figure(slowest, 'ms'), ...atMost(5, slowest, 'ms') },
    {
      measure: `  … before the end of the reply (ideal ${CALL_MS / 2})`,
      direct: figure(median(pooled('direct', 'streamedMs')), 'ms'),
      ours: figure(median(pooled('ours', 'streamedMs')), 'ms'),
    },
  ];
}

/** Plays one case and holds it against what the upstream saw. */
async function played(upstream, { strategy, waves }, run) {
  const { tag, sentMs, endMs, firstContentMs } = await run();
  const calls = (await upstream.records()).filter((record) => record.tag === tag);
  const expected = waves.reduce((sum, width) => sum + width, 0);
  if (calls.length !== expected) throw new Error(`${strategy}: ${calls.length} upstream calls, ${expected} expected`);
  const answer = calls.reduce((last, call) => (call.openedMs > last.openedMs ? call : last));
  return {
    wallMs: endMs - sentMs,
    firstContentMs: firstContentMs - answer.firstContentMs,
    streamedMs: endMs - firstContentMs,
  };
}

async function viaOurs(to, { strategy, roundsAsked }, tag) {
  const models = Array.from({ length: PARTICIPANTS }, () => MODEL);
  const options = { models, strategy, rounds: roundsAsked };
  const reply = await ask(to, chat(MODEL, { tag, stream: true, ai_ensemble: options }));
  const { done, error } = parseStream(reply.text);
  if (!done || reply.text.includes('"degraded"')) throw new Error(`${strategy}: ${error ?? reply.text.slice(-500)}`);
  return { tag, ...reply };
}

async function byHand(to, { waves }, tag) {
  const one = () => ask(to, chat(MODEL, { tag, stream: true }));
  let first;
  let last;
  for (const width of waves) {
    const replies = await Promise.all(Array.from({ length: width }, one));
    first ??= Math.min(...replies.map(({ sentMs }) => sentMs));
    last = replies[0];
  }
  return { tag, sentMs: first, endMs: last.endMs, firstContentMs: last.firstContentMs };
}
