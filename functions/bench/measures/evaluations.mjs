import { ask, chat, target } from '../load.mjs';
import { bothWays, rounds } from '../rounds.mjs';
import { SECOND_PROVIDER } from '../servers.mjs';
import { median } from '../stats.mjs';
import { atMost, figure } from '../table.mjs';

const CALL_MS = 200;
const MODEL = `fake-prose-${CALL_MS}ms`;
/** `steps`: how many calls follow each other where all take the same time, at 8 calls a provider and 16 in all. */
const CASES = [
  { mode: 'standard', judges: [MODEL, MODEL, MODEL], responses: 4, calls: 3, steps: 1 },
  { mode: 'pointwise', judges: [MODEL, MODEL], responses: 4, calls: 8, steps: 1 },
  { mode: 'pointwise', judges: [MODEL, SECOND_PROVIDER + MODEL], responses: 8, calls: 16, steps: 1 },
  { mode: 'pointwise', judges: [MODEL, MODEL], responses: 8, calls: 16, steps: 2 },
];
/** What a judge is asked for, in the form of a judge's prompt. */
const FORM = `Reply with one JSON object and nothing else, one item for each of KQXB:
{"expected":"<one or two sentences>","items":[{"label":"<label>","reasoning":"<two to four sentences>","accuracy":<0-10>,"creativity":<0-10>,"clarity":<0-10>,"completeness":<0-10>,"usefulness":<0-10>}]}`;

/**
 * Judges side by side: an evaluation is to last as long as one judge call asked directly, up to 8 calls at one provider
 * and 16 in all, and beyond that as long as the calls that follow each other. "By hand" is a client that makes the same
 * calls itself: what it loses against a single call is the machine's.
 */
export async function evaluations({ direct, server, authorization, upstream, newTag }) {
  const ours = target(server.origin, authorization, { path: '/v1/evaluations' });
  const played = async (round, one) => ({
    byHandMs: await judged(upstream, one.calls, () => byHand(direct, one, newTag())),
    ...(await bothWays(
      round,
      () => judged(upstream, 1, () => judgeCall(direct, newTag())),
      () => judged(upstream, one.calls, () => evaluation(ours, one, newTag())),
    )),
  });
  for (const one of CASES) await played(0, one);
  const results = await rounds(9, 60_000, async (round) => {
    const runs = [];
    for (const one of CASES) runs.push(await played(round, one));
    return runs;
  });
  return CASES.map((one, index) =>
    row(
      one,
      results.map((runs) => runs[index]),
    ),
  );
}

function row({ mode, judges, responses, calls, steps }, runs) {
  const [was, is, byHandMs] = ['direct', 'ours', 'byHandMs'].map((key) => median(runs.map((run) => run[key])));
  const ratio = is / (steps * was);
  const providers = new Set(judges).size === 1 ? 'one provider' : 'two providers';
  const ideal = steps === 1 ? 'one judge call' : `${steps} in a row`;
  return {
    measure: `evaluation, ${mode}, ${judges.length} judges × ${responses} responses: ${calls} calls at ${providers}`,
    direct: figure(was, 'ms'),
    ours: figure(is, 'ms'),
    change: `× ${ratio.toFixed(3)} of ${ideal}, × ${(is / byHandMs).toFixed(3)} of by hand`,
    ...atMost(1.1, ratio, '× direct'),
  };
}

/** How long it took, in ms; throws when the upstream saw another number of calls. */
async function judged(upstream, expected, run) {
  const { tag, sentMs, endMs } = await run();
  const calls = (await upstream.records()).filter((record) => record.tag === tag).length;
  if (calls !== expected) throw new Error(`${calls} upstream calls, ${expected} expected`);
  return endMs - sentMs;
}

async function judgeCall(to, tag) {
  const body = chat(MODEL, { stream: true, stream_options: { include_usage: true } });
  return {
    tag,
    ...(await ask(to, { ...body, messages: [{ role: 'user', content: `Judge this. #${tag}#\n\n${FORM}` }] })),
  };
}

async function byHand(to, { calls, steps }, tag) {
  const replies = [];
  for (let step = 0; step < steps; step += 1) {
    replies.push(...(await Promise.all(Array.from({ length: calls / steps }, () => judgeCall(to, tag)))));
  }
  const [first, last] = [replies[0].sentMs, Math.max(...replies.map(({ endMs }) => endMs))];
  return { tag, sentMs: first, endMs: last };
}

async function evaluation(to, { mode, judges, responses }, tag) {
  const reply = await ask(to, {
    prompt: `Is a tomato a fruit? #${tag}#`,
    responses: Array.from({ length: responses }, (_, index) => ({
      ...{ modelId: `author-${index}`, modelName: `Author ${index}` },
      response: `Answer ${index}: botanically it is.`,
    })),
    judge_models: judges.map((id, index) => ({ id, name: `Judge ${index}` })),
    evaluation_mode: mode,
  });
  const scored = JSON.parse(reply.text).evaluations.map(({ scoredByJudges }) => scoredByJudges);
  if (scored.length !== responses || scored.some((count) => count !== judges.length)) {
    throw new Error(`not scored by all: ${reply.text.slice(0, 500)}`);
  }
  return { tag, ...reply };
}
