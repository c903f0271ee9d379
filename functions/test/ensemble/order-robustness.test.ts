import { createHash } from 'node:crypto';
import type { ProviderCall } from '../../src/models/model';
import { fairCount, type Played, playRun, requestId, shownTo } from '../support/played-run';
import { failing, type ScriptedReply } from '../support/scripted-models';

/**
 * The order in which the sides of a debate are shown decides nothing: only a side that wins shown first and shown second
 * wins (arXiv 2305.17926). That every other order is fair is proven in order-balance.
 */

const SIDES = ['proposition', 'opposition'] as const;
type Side = (typeof SIDES)[number];

/** A reading of both cases: the sides in the order shown, each under its label, and a number from 0 to 1. */
interface Reading {
  readonly shown: readonly { readonly label: string; readonly side: Side }[];
  readonly coin: number;
}

function readingOf(call: ProviderCall, seed: string): Reading {
  const shown = shownTo(call).map(({ title, text }) => ({
    label: title.slice(0, 1),
    side: text.includes('FOR') ? SIDES[0] : SIDES[1],
  }));
  const draw = createHash('sha256').update(`${seed}\n${shown[0]?.side}`).digest().readUInt32BE(0);
  return { shown, coin: draw / 2 ** 32 };
}

const labelOf = ({ shown }: Reading, right: Side): string => shown.find(({ side }) => side === right)?.label ?? '';
const ruling = (label = ''): ScriptedReply => ({ text: JSON.stringify({ winner: label, rationale: 'It is better.' }) });

function debate(seed: string, judge: (reading: Reading) => ScriptedReply): Promise<Played> {
  return playRun({
    ...{ id: requestId(seed), strategy: 'debate_tournament', models: ['pro-1', 'con-2'], rounds: 1 },
    script: (call) => {
      if (call.purpose === 'analyse') return judge(readingOf(call, seed));
      if (call.purpose === 'answer') return { text: 'An answer.' };
      return { text: call.providerModel.startsWith('pro') ? 'Speaks FOR it.' : 'Speaks con it.' };
    },
  });
}

/** The verdict the author of the answer was given; the explanation must say the same. */
function verdictOf({ calls, explanation }: Played): Side | undefined {
  const brief = calls.find(({ purpose }) => purpose === 'answer')?.prompt.turns.at(-1)?.text ?? '';
  const winner = SIDES.find((side) => brief.includes(`the ${side} won each time`));
  expect(explanation.startsWith(winner === undefined ? 'Split' : `The ${winner} wins`)).toBe(true);
  return winner;
}

// A judge who names the side at this place, 0 or -1, with a probability, and the right one otherwise.
it.each([
  { place: 0, bias: 1 },
  { place: -1, bias: 1 },
  { place: 0, bias: 0.25 },
  { place: 0, bias: 0 },
])(
  'a taste for place $place with probability $bias elects the wrong side never, and the right one else',
  async (row) => {
    const RUNS = 300;
    let [flipped, splits] = [0, 0];
    for (let seed = 0; seed < RUNS; seed += 1) {
      const right: Side = SIDES[seed % 2] ?? SIDES[0];
      const played = await debate(`${seed}`, (reading) => {
        const label = reading.coin < row.bias ? reading.shown.at(row.place)?.label : labelOf(reading, right);
        flipped += label === labelOf(reading, right) ? 0 : 1;
        return ruling(label);
      });
      const winner = verdictOf(played);
      expect([right, undefined]).toContain(winner);
      if (winner === undefined) splits += 1;
    }
    // In each debate one of the two readings can be flipped, and then it is split.
    expect(splits).toBe(flipped);
    expect(fairCount(splits, RUNS, row.bias)).toBe(true);
  },
);

const BAD: readonly { reading: string; reply: ScriptedReply; unreadable: number }[] = [
  { reading: 'is prose', reply: { text: 'The first one is plainly right.' }, unreadable: 1 },
  { reading: 'fails', reply: failing('server'), unreadable: 1 },
  { reading: 'names no winner', reply: { text: '{"winner": null, "rationale": "A tie."}' }, unreadable: 0 },
  { reading: 'names both', reply: { text: '{"winner": "A and B", "rationale": "A tie."}' }, unreadable: 0 },
];

it.each(BAD.flatMap((row) => SIDES.map((first) => ({ ...row, first }))))(
  'a reading with the $first first that $reading never makes a win',
  async ({ reply, unreadable, first }) => {
    for (const right of SIDES) {
      const played = await debate(`${first} ${right}`, (reading) =>
        reading.shown[0]?.side === first ? reply : ruling(labelOf(reading, right)),
      );
      expect(verdictOf(played)).toBeUndefined();
      const said = played.degraded.filter((text) => text.includes('did not give two that could be read'));
      expect(said).toHaveLength(unreadable);
    }
  },
);
