import type { StrategyName } from '../../src/ensemble/strategies/strategies';
import type { ProviderCall } from '../../src/models/model';
import { isLongMode } from '../support/long-mode';
import { fairCount, type Played, playRun, requestId, shownTo, UMPIRE } from '../support/played-run';
import type { Script } from '../support/scripted-models';

/**
 * Over many requests each text sits in each place and under each label equally often, for every reader of every
 * strategy: what a reader's taste for a place or a letter does, it does for everybody.
 */

const SEEDS = isLongMode ? 2_000 : 500;
const PANEL = ['alpha-1', 'bravo-2', 'charlie-3', 'delta-4', 'echo-5', 'foxtrot-6'];

/** Everybody signs; nobody ends early; no JSON anywhere, so that a plan is unusable and an attack is about all. */
const signing: Script = ({ providerModel, purpose }) => {
  if (purpose === 'analyse') return { text: '{"winner": "A", "rationale": "The first."}' };
  if (purpose === 'attack' || purpose === 'review') return { text: 'It does not say why.' };
  const seat = PANEL.indexOf(providerModel);
  return { text: seat < 0 ? 'Unsigned.' : `Signed-${seat}.\nANSWER: ${seat}` };
};

/** Places of authors, by reader and group. */
type Places = Map<string, { readonly authors: Set<number>; readonly counts: Map<string, number> }>;

interface Sitting {
  readonly author: number;
  readonly title: string;
}

/** The signed texts a call shows beside the reader's own, by side in a debate. */
function sittings(call: ProviderCall, strategy: StrategyName): Map<string, Sitting[]> {
  const groups = new Map<string, Sitting[]>();
  for (const { title, text } of shownTo(call)) {
    const signature = /Signed-(\d)/.exec(text)?.[1];
    if (signature === undefined || title === 'yours' || title.endsWith('first draft')) continue;
    const author = Number(signature);
    const group = strategy !== 'debate_tournament' ? 'all' : author % 2 === 0 ? 'proposition' : 'opposition';
    groups.set(group, [...(groups.get(group) ?? []), { author, title }]);
  }
  return groups;
}

/** The place a label stands for: `B` and `A2` for the second, `part 1` for the first; undefined for a name. */
function labelledPlace(title: string): number | undefined {
  const numbered = /^(?:[AB]|part |proposition |opposition )(\d)$/.exec(title)?.[1];
  if (numbered !== undefined) return Number(numbered) - 1;
  return /^[A-F](?=$|, )/.test(title) ? title.charCodeAt(0) - 65 : undefined;
}

function note(places: Places, reader: string, seated: readonly Sitting[]): void {
  const entry = places.get(reader) ?? { authors: new Set(), counts: new Map() };
  places.set(reader, entry);
  for (const [place, { author, title }] of seated.entries()) {
    const labelled = labelledPlace(title);
    if (labelled !== undefined && labelled !== place) throw new Error(`“${title}” stands in place ${place}`);
    entry.authors.add(author);
    entry.counts.set(`${author} in ${place}`, (entry.counts.get(`${author} in ${place}`) ?? 0) + 1);
  }
}

/** Notes where everybody sat in one run. */
function notePlaces(places: Places, { calls }: Played, strategy: StrategyName): void {
  const nth = new Map<string, number>();
  for (const call of calls) {
    const who = `${call.providerModel} ${call.purpose}`;
    nth.set(who, (nth.get(who) ?? 0) + 1);
    for (const [group, seated] of sittings(call, strategy)) note(places, `${who} ${nth.get(who)}: ${group}`, seated);
  }
}

/** The readers of more than one text, and the texts each of them is shown. */
const ROWS: readonly { strategy: StrategyName; n: number; rounds: number; readers: number }[] = [
  // Four revisers; the arbiter twice, for the analysis and for the answer.
  { strategy: 'competitive_refinement', n: 4, rounds: 2, readers: 4 + 2 },
  { strategy: 'collaborative_synthesis', n: 4, rounds: 2, readers: 4 + 2 },
  { strategy: 'expert_panel', n: 4, rounds: 2, readers: 4 + 2 },
  // One motion before everybody; then two allies and three opponents before each of six; both teams in two verdicts and
  // in the answer.
  { strategy: 'debate_tournament', n: 6, rounds: 2, readers: 2 * 6 + 2 * 3 },
  // Three whole answers before the reviewer in two rounds, and before the arbiter twice.
  { strategy: 'hierarchical', n: 5, rounds: 2, readers: 2 + 2 },
  { strategy: 'chain_of_thought', n: 4, rounds: 2, readers: 2 },
  // Three answers before each of two attackers in two rounds, and before the arbiter twice.
  { strategy: 'red_team_blue_team', n: 5, rounds: 2, readers: 4 + 2 },
];

describe(`over ${SEEDS} requests`, () => {
  it.each(ROWS)(
    '$strategy: every reader finds every text in every place and under every label equally often',
    async ({ strategy, n, rounds, readers }) => {
      const places: Places = new Map();
      const models = PANEL.slice(0, n);
      for (let seed = 0; seed < SEEDS; seed += 1) {
        const played = await playRun({ id: requestId(seed), strategy, models, rounds, script: signing });
        notePlaces(places, played, strategy);
      }
      const several = [...places].filter(([, { authors }]) => authors.size > 1);
      expect(several).toHaveLength(readers);
      for (const [reader, { authors, counts }] of several) {
        expect([reader, counts.size]).toEqual([reader, authors.size ** 2]);
        const unfair = [...counts].filter(([, count]) => !fairCount(count, SEEDS, 1 / authors.size));
        expect([reader, unfair]).toEqual([reader, []]);
      }
    },
  );

  it('no two readers of a round share an order more often than chance has it', async () => {
    let shared = 0;
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const { calls } = await playRun({
        id: requestId(seed),
        strategy: 'collaborative_synthesis',
        models: PANEL.slice(0, 3),
        rounds: 2,
        script: signing,
      });
      const [one, other] = calls
        .filter(({ purpose }) => purpose === 'revise')
        .map((call) => JSON.stringify(sittings(call, 'collaborative_synthesis').get('all')));
      if (one === other) shared += 1;
    }
    expect(fairCount(shared, SEEDS, 1 / 6)).toBe(true);
  });

  it('chain_of_thought: an answer that only one chain has is shown first as often as the one of all others', async () => {
    const lone: Script = (call) =>
      call.purpose === 'draft'
        ? { text: `1. A step.\nANSWER: ${call.providerModel === PANEL[2] ? 'fruit' : 'vegetable'}` }
        : signing(call);
    let first = 0;
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const { calls } = await playRun({
        id: requestId(seed),
        strategy: 'chain_of_thought',
        models: PANEL.slice(0, 4),
        rounds: 1,
        script: lone,
        explain: false,
      });
      const answer = calls.find(({ providerModel }) => providerModel === UMPIRE);
      if (answer && shownTo(answer)[0]?.text === 'fruit') first += 1;
    }
    expect(fairCount(first, SEEDS, 1 / 2)).toBe(true);
  });

  it('debate_tournament: each side is read first in half of the answers', async () => {
    let first = 0;
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const { calls } = await playRun({
        ...{ id: requestId(seed), strategy: 'debate_tournament', models: PANEL.slice(0, 2), rounds: 1 },
        script: signing,
      });
      const answer = calls.find(({ purpose }) => purpose === 'answer');
      if (answer && shownTo(answer)[0]?.text.includes('Signed-0')) first += 1;
    }
    expect(fairCount(first, SEEDS, 1 / 2)).toBe(true);
  });
});
