import type { Question } from '../question.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Difficulty } from '../task.ts';
import { type Clue, trueClues } from './clues.ts';
import { allWorlds, type Cast, describeWorld, type World } from './world.ts';

const NAMES = ['Ada', 'Bruno', 'Clara', 'Dario', 'Elena', 'Frank', 'Gina', 'Henry', 'Irene', 'Karl', 'Lena', 'Marco'];
const DRINKS = ['tea', 'milk', 'coffee', 'juice', 'water', 'cocoa'];
const LEVELS: Readonly<Record<Difficulty, { readonly people: number; readonly drinks: number }>> = {
  1: { people: 4, drinks: 0 },
  2: { people: 6, drinks: 0 },
  3: { people: 5, drinks: 5 },
};
const WORLDS = new Map<Difficulty, readonly World[]>();
const WRONG_COUNT = 3;
const CHARACTERS_MAX = 200;
const FILLERS = new Set(['and', 'with', 'has', 'then']);

/** Who stands where, by clues that leave exactly one way. */
export function puzzleQuestion(random: SeededRandom, difficulty: Difficulty): Question {
  const size = LEVELS[difficulty];
  const cast: Cast = { people: random.sample(NAMES, size.people), drinks: random.sample(DRINKS, size.drinks) };
  const worlds = worldsOf(difficulty);
  const world = random.pick(worlds);
  const clues = clueSet(random, { cast, world, worlds });
  const read = (value: string): string | undefined => readOrder(cast, value);
  return {
    text: `${opening(cast)}\n${clues.map(({ says }) => `- ${says}`).join('\n')}\n${request(cast)}`,
    form:
      cast.drinks.length === 0
        ? 'the names, from left to right'
        : 'each name and drink, from left to right, as in: Kim beer, Tom wine, …',
    right: describeWorld(cast, world),
    wrong: nearMisses(random, { worlds, world, clues }).map((miss) => describeWorld(cast, miss)),
    read,
  };
}

/** All worlds of a difficulty, made once. */
function worldsOf(difficulty: Difficulty): readonly World[] {
  const worlds = WORLDS.get(difficulty) ?? allWorlds(LEVELS[difficulty]);
  WORLDS.set(difficulty, worlds);
  return worlds;
}

/** Clues that together hold in this world only, none of which could be left out. */
function clueSet(
  random: SeededRandom,
  { cast, world, worlds }: { readonly cast: Cast; readonly world: World; readonly worlds: readonly World[] },
): Clue[] {
  const { aboutOne, aboutTwo } = trueClues(cast, world);
  const chosen: Clue[] = [];
  let left = worlds;
  // Few of those that only exclude a place: they are many, and a puzzle of nothing else is none.
  for (const clue of random.shuffle([...random.sample(aboutOne, cast.people.length), ...aboutTwo])) {
    if (left.length === 1) break;
    const fewer = left.filter(clue.holds);
    if (fewer.length === left.length) continue;
    chosen.push(clue);
    left = fewer;
  }
  return chosen.reduce<Clue[]>((kept, clue) => {
    const others = kept.filter((one) => one !== clue);
    return isUnique(worlds, others) ? others : kept;
  }, chosen);
}

function isUnique(worlds: readonly World[], clues: readonly Clue[]): boolean {
  let found = 0;
  for (const world of worlds) {
    if (clues.every(({ holds }) => holds(world))) found += 1;
    if (found > 1) return false;
  }
  return found === 1;
}

function opening({ people, drinks }: Cast): string {
  const names = people.toSorted().join(', ');
  if (drinks.length === 0) return `${people.length} people stand in a row: ${names}. Of them it is known:`;
  return `${people.length} people stand in a row: ${names}. Each has another one of these drinks: ${drinks.toSorted().join(', ')}. Of them it is known:`;
}

function request({ drinks }: Cast): string {
  return drinks.length === 0
    ? 'In which order do they stand, from left to right?'
    : 'Who stands where, from left to right, with which drink?';
}

/** Worlds in which all clues but one hold, as for a reader who has overlooked it. */
function nearMisses(
  random: SeededRandom,
  {
    worlds,
    world,
    clues,
  }: { readonly worlds: readonly World[]; readonly world: World; readonly clues: readonly Clue[] },
): World[] {
  const misses = worlds.filter((other) => other !== world && clues.filter(({ holds }) => !holds(other)).length === 1);
  return random.sample(misses, WRONG_COUNT);
}

/** The names and drinks of a value in their order, if it says nothing else. */
function readOrder({ people, drinks }: Cast, value: string): string | undefined {
  if (value.length > CHARACTERS_MAX) return undefined;
  const known = [...people, ...drinks];
  const words = value.split(/[^\p{L}]+/u).filter((word) => word !== '' && !FILLERS.has(word.toLowerCase()));
  const named = words.map((word) => known.find((name) => name.toLowerCase() === word.toLowerCase()));
  if (named.some((name) => name === undefined)) return undefined;
  const pairs =
    drinks.length === 0
      ? named
      : Array.from({ length: Math.ceil(named.length / 2) }, (_, at) => named.slice(2 * at, 2 * at + 2).join(' '));
  return pairs.join(', ');
}
