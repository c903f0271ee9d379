import { createHash } from 'node:crypto';
import type { ProviderCall } from '../../src/models/model';
import { fairCount, type Played, playRun, requestId, type Shown, shownTo } from '../support/played-run';
import { failing, type Script, type ScriptedReply } from '../support/scripted-models';

/**
 * The order in which the sides of a debate are shown decides nothing: only a side that wins shown first and shown second
 * wins (arXiv 2305.17926). That every other order is fair is proven in order-balance.
 */

type Side = 'proposition' | 'opposition';
type Verdict = Side | 'split';
const SIDES: readonly Side[] = ['proposition', 'opposition'];

/** One side as a judge sees it. */
interface Case {
  readonly label: string;
  readonly side: Side;
}

/** Case of a judge: the cases in the order shown, the side that is right, and a number from 0 to 1. */
interface Bench {
  readonly first: Case;
  readonly second: Case;
  readonly right: Side;
  readonly coin: number;
}

/** Names the winner, as models do. */
type Judge = (bench: Bench) => string;

const honest: Judge = ({ first, second, right }) => (first.side === right ? first : second).label;
const biased =
  (chance: number, bias: Judge): Judge =>
  (bench) =>
    bench.coin < chance ? bias(bench) : honest(bench);
const firstShown: Judge = ({ first }) => first.label;
const lastShown: Judge = ({ second }) => second.label;

function caseOf(shown: readonly Shown[], label: string): Case {
  const own = shown.filter(({ title }) => title.startsWith(label));
  const text = own.map((exhibit) => exhibit.text).join('');
  return { label, side: text.includes('FOR') ? 'proposition' : 'opposition' };
}

function benchOf(call: ProviderCall, right: Side, id: string): Bench {
  const shown = shownTo(call);
  const [a, b] = [caseOf(shown, 'A'), caseOf(shown, 'B')];
  const [first, second] = shown[0]?.title.startsWith('A') ? [a, b] : [b, a];
  const draw = createHash('sha256').update(`${id}\n${first.side}`).digest().readUInt32BE(0);
  return { first, second, right, coin: draw / 2 ** 32 };
}

interface Trial {
  readonly seed: number | string;
  readonly right: Side;
  readonly models?: readonly string[];
  /** Replies to one reading. */
  readonly judge: (bench: Bench, call: ProviderCall) => ScriptedReply;
}

async function tryCase({ seed, right, models = ['pro-1', 'con-2'], judge }: Trial): Promise<Played> {
  const id = requestId(seed);
  const script: Script = (call) => {
    if (call.purpose === 'analyse') return judge(benchOf(call, right, id), call);
    if (call.purpose === 'answer') return { text: 'An answer.' };
    return { text: call.providerModel.startsWith('pro') ? 'Speaks FOR it.' : 'Speaks con it.' };
  };
  return playRun({ id, strategy: 'debate_tournament', models, rounds: 1, script });
}

function ruling(label: string): ScriptedReply {
  return { text: JSON.stringify({ winner: label, rationale: 'It is better.' }) };
}

/** The verdict the author of the answer was given; the explanation must say the same. */
function verdictOf({ calls, explanation }: Played): Verdict {
  const brief = calls.find(({ purpose }) => purpose === 'answer')?.prompt.turns.at(-1)?.text ?? '';
  const verdict = SIDES.find((side) => brief.includes(`the ${side} won each time`)) ?? 'split';
  const said = SIDES.find((side) => explanation.startsWith(`The ${side} wins`)) ?? explanation.slice(0, 5);
  expect(said).toBe(verdict === 'split' ? 'Split' : verdict);
  return verdict;
}

async function verdicts(runs: number, trial: (seed: number) => Trial): Promise<Record<Verdict, number>> {
  const counts = { proposition: 0, opposition: 0, split: 0 };
  for (let seed = 0; seed < runs; seed += 1) counts[verdictOf(await tryCase(trial(seed)))] += 1;
  return counts;
}

describe('a debate is judged in both orders', () => {
  const RUNS = 100;

  it.each([
    { judge: 'the one shown first', decide: firstShown },
    { judge: 'the one shown last', decide: lastShown },
  ])('a judge who prefers $judge never elects anybody', async ({ decide }) => {
    for (const right of SIDES) {
      const counts = await verdicts(RUNS, (seed) => ({ seed, right, judge: (bench) => ruling(decide(bench)) }));
      expect(counts).toEqual({ proposition: 0, opposition: 0, split: RUNS });
    }
  });

  // The exact counts for these 1,000 debates. A single reading that is wrong is a verdict that order has flipped.
  it.each([
    { bias: 0, wrongReadings: 0, splits: 0, wins: 1_000 },
    { bias: 0.25, wrongReadings: 252, splits: 252, wins: 748 },
    { bias: 1, wrongReadings: 1_000, splits: 1_000, wins: 0 },
  ])(
    'bias $bias for the first: $wrongReadings of 2000 readings flipped, $splits of 1000 debates split, $wins won, 0 by the wrong side',
    async ({ bias, wrongReadings, splits, wins }) => {
      const found = { wrongReadings: 0, splits: 0, wins: 0, wrongWins: 0 };
      for (let seed = 0; seed < 1_000; seed += 1) {
        const right: Side = seed % 2 === 0 ? 'proposition' : 'opposition';
        const played = await tryCase({
          seed,
          right,
          judge: (bench) => {
            const label = biased(bias, firstShown)(bench);
            found.wrongReadings += label === honest(bench) ? 0 : 1;
            return ruling(label);
          },
        });
        const verdict = verdictOf(played);
        if (verdict === 'split') found.splits += 1;
        else if (verdict === right) found.wins += 1;
        else found.wrongWins += 1;
      }
      expect(found).toEqual({ wrongReadings, splits, wins, wrongWins: 0 });
      expect(fairCount(found.splits, 1_000, bias)).toBe(true);
    },
  );
});

describe('a debate with one reading is not decided', () => {
  const UNREADABLE = 'did not give two that could be read';

  const bad: readonly { reading: string; reply: ScriptedReply; said: boolean }[] = [
    { reading: 'is prose', reply: { text: 'The first one is plainly right.' }, said: true },
    { reading: 'fails', reply: failing('server'), said: true },
    { reading: 'names no winner', reply: { text: '{"winner": null, "rationale": "A tie."}' }, said: false },
    { reading: 'names both', reply: { text: '{"winner": "A and B", "rationale": "A tie."}' }, said: false },
  ];
  const cases = bad.flatMap((row) => SIDES.map((first) => ({ ...row, first })));

  it.each(cases)('a reading with the $first first that $reading never makes a win', async ({ reply, said, first }) => {
    for (const right of SIDES) {
      const judge: Trial['judge'] = (bench) => (bench.first.side === first ? reply : ruling(honest(bench)));
      const played = await tryCase({ seed: `${first} ${right}`, right, judge });
      expect(verdictOf(played)).toBe('split');
      expect(played.degraded.filter((text) => text.includes(UNREADABLE))).toHaveLength(said ? 1 : 0);
    }
  });
});
