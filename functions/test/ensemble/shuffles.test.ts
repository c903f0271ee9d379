import { PROOFS } from './visibility';
import { chainOfThought } from './visibility/chain-of-thought';
import { hierarchical } from './visibility/hierarchical';
import { OWN_TITLE, readPrompt, tokensIn } from './visibility/read-prompt';
import { members, type Setup, type StrategyProof } from './visibility/setup';
import { startVisibilityApp, type VisibilityApp } from './visibility/visibility-app';
import type { HeardCall } from './visibility/wave-models';

const SETUP: Setup = { members: members(5), rounds: 3, explained: false, formal: false };
const RUNS = 64;
/** Of 64 fair coins all but one in a million throws are within five standard deviations of 32. */
const FAIR = { atLeast: 12, atMost: 52 };

/** In each run, whether the text of one author stood before that of another; by reader, step and pair. */
type Orders = ReadonlyMap<string, readonly boolean[]>;

/**
 * The order in which a reader sees the others' texts tells nothing: it is another one for every reader, every step and
 * every request. The parts of a plan are in the plan's order.
 */
describe('the order of the texts', () => {
  let service: VisibilityApp;
  beforeAll(async () => {
    service = await startVisibilityApp();
  });
  afterAll(() => service.app.close());

  describe.each(PROOFS.filter((proof) => proof !== hierarchical))('$strategy', (proof) => {
    let orders: Orders;
    beforeAll(async () => {
      orders = await ordersOf(service, proof);
    });

    it('favours nobody', () => {
      expect(orders.size).toBeGreaterThan(0);
      expect([...orders].filter(([, marks]) => !isFair(count(marks))).map(([pair]) => pair)).toEqual([]);
    });

    it('differs from reader to reader and from step to step', () => {
      const shared = sharedPairs(orders);
      // Of a chain only one is ever shown, but to the arbiter.
      expect(shared.length > 0).toBe(proof !== chainOfThought);
      expect(shared.filter(({ same }) => !isFair(same))).toEqual([]);
    });
  });
});

async function ordersOf(service: VisibilityApp, proof: StrategyProof): Promise<Orders> {
  const orders = new Map<string, boolean[]>();
  for (let run = 0; run < RUNS; run += 1) {
    const { calls } = await service.run(proof, SETUP);
    const steps = new Map<string, number>();
    for (const heard of calls) {
      const step = `${heard.who} ${heard.does} ${heard.round}`;
      const nth = (steps.get(step) ?? 0) + 1;
      steps.set(step, nth);
      for (const [pair, isFirst] of pairsOf(heard, proof)) {
        const key = `${step} #${nth}: ${pair}`;
        orders.set(key, [...(orders.get(key) ?? []), isFirst]);
      }
    }
  }
  return orders;
}

/** Whose drafts and revisions a reader is shown, in their order, without its own. */
function authorsIn({ call }: HeardCall): string[] {
  const texts = readPrompt(call.prompt).fenced.filter(({ title }) => title !== OWN_TITLE);
  const authors = texts.flatMap(({ text }) =>
    tokensIn(text).flatMap((shown) => /^(\w+)\.(?:draft|revise)/.exec(shown)?.[1] ?? []),
  );
  return [...new Set(authors)];
}

/** Every two authors in seat order, and whether the first of them comes first. */
function pairsOf(heard: HeardCall, { strategy }: StrategyProof): [string, boolean][] {
  const authors = authorsIn(heard);
  const places = SETUP.members.filter((who) => authors.includes(who));
  // In a debate a side stands together, and which comes first is drawn for the answer alone.
  const bySides = strategy === 'debate_tournament' && heard.does !== 'answer';
  const sideOf = (who: string) => (bySides ? SETUP.members.indexOf(who) % 2 : 0);
  return places.flatMap((one, index) =>
    places
      .slice(index + 1)
      .filter((other) => sideOf(one) === sideOf(other))
      .map((other): [string, boolean] => [`${one} before ${other}`, authors.indexOf(one) < authors.indexOf(other)]),
  );
}

/** How often two readers, or one reader in two steps, had the same two texts in the same order. */
function sharedPairs(orders: Orders): { one: string; two: string; same: number }[] {
  const keys = [...orders.keys()];
  return keys.flatMap((one, index) =>
    keys
      .slice(index + 1)
      .filter((two) => two.split(': ')[1] === one.split(': ')[1])
      .map((two) => {
        const [a = [], b = []] = [orders.get(one), orders.get(two)];
        return { one, two, same: count(a.map((isFirst, run) => isFirst === b[run])) };
      }),
  );
}

function count(marks: readonly boolean[]): number {
  return marks.filter(Boolean).length;
}

function isFair(times: number): boolean {
  return times >= FAIR.atLeast && times <= FAIR.atMost;
}
