import type { Question } from './answer-line-task.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Difficulty } from './task.ts';

/** The people and drinks of a puzzle; people have the numbers from 0, drinks those after them. */
interface Cast {
  readonly people: readonly string[];
  /** None where people only stand in a row. */
  readonly drinks: readonly string[];
}

/** The place of every person and drink. */
type World = readonly number[];

/** A sentence about who stands where. */
interface Clue {
  readonly says: string;
  holds(world: World): boolean;
}

const NAMES = ['Ada', 'Bruno', 'Clara', 'Dario', 'Elena', 'Frank', 'Gina', 'Henry', 'Irene', 'Karl', 'Lena', 'Marco'];
const DRINKS = ['tea', 'milk', 'coffee', 'juice', 'water', 'cocoa'];
const LEVELS: Readonly<Record<Difficulty, { readonly people: number; readonly drinks: number }>> = {
  1: { people: 4, drinks: 0 },
  2: { people: 6, drinks: 0 },
  3: { people: 5, drinks: 5 },
};
const WORLDS = new Map<Difficulty, readonly World[]>();
const CHARACTERS_MAX = 200;
const FILLERS = new Set(['and', 'with', 'has', 'then']);

/** A question about who stands where, by clues that leave exactly one way. */
export function puzzleQuestion(random: SeededRandom, difficulty: Difficulty): Question {
  const size = LEVELS[difficulty];
  const cast: Cast = { people: random.sample(NAMES, size.people), drinks: random.sample(DRINKS, size.drinks) };
  const worlds = worldsOf(difficulty);
  const world = random.pick(worlds);
  const clues = clueSet(random, { cast, world, worlds });
  // Worlds in which all clues but one hold, as for a reader who has overlooked it.
  const misses = worlds.filter((other) => other !== world && clues.filter(({ holds }) => !holds(other)).length === 1);
  const names = cast.people.toSorted().join(', ');
  const drinks = cast.drinks.toSorted().join(', ');
  const hasDrinks = drinks !== '';
  const each = hasDrinks ? ` Each has another one of these drinks: ${drinks}.` : '';
  return {
    text: [
      `${cast.people.length} people stand in a row: ${names}.${each} Of them it is known:`,
      ...clues.map(({ says }) => `- ${says}`),
      hasDrinks
        ? 'Who stands where, from left to right, with which drink?'
        : 'In which order do they stand, from left to right?',
    ].join('\n'),
    form: hasDrinks
      ? 'each name and drink, from left to right, as in: Kim beer, Tom wine, …'
      : 'the names, from left to right',
    right: described(cast, world),
    wrong: random.sample(misses, 3).map((miss) => described(cast, miss)),
    read: (value) => readOrder(cast, value),
  };
}

/** All worlds of a difficulty, made once. */
function worldsOf(difficulty: Difficulty): readonly World[] {
  const { people, drinks } = LEVELS[difficulty];
  const rows = WORLDS.has(difficulty) ? [] : arrangements(people);
  const worlds =
    WORLDS.get(difficulty) ?? (drinks === 0 ? rows : rows.flatMap((row) => rows.map((other) => [...row, ...other])));
  WORLDS.set(difficulty, worlds);
  return worlds;
}

function arrangements(count: number): number[][] {
  if (count === 0) return [[]];
  return arrangements(count - 1).flatMap((shorter) =>
    Array.from({ length: count }, (_, at) => [...shorter.slice(0, at), count - 1, ...shorter.slice(at)]),
  );
}

/** Clues that together hold in this world only, none of which could be left out. */
function clueSet(
  random: SeededRandom,
  { cast, world, worlds }: { readonly cast: Cast; readonly world: World; readonly worlds: readonly World[] },
): Clue[] {
  const chosen: Clue[] = [];
  let left = worlds;
  for (const clue of random.shuffle(cluesOf(cast).filter(({ holds }) => holds(world)))) {
    if (left.length === 1) break;
    const fewer = left.filter(clue.holds);
    if (fewer.length === left.length) continue;
    chosen.push(clue);
    left = fewer;
  }
  return chosen.reduce<Clue[]>((kept, clue) => {
    const others = kept.filter((one) => one !== clue);
    const found = worlds.filter((one) => others.every(({ holds }) => holds(one)));
    return found.length === 1 ? others : kept;
  }, chosen);
}

/** Sentences about one person or drink, and about two. That somebody stands at a place is left out: it would say too much. */
function cluesOf(cast: Cast): Clue[] {
  const count = cast.people.length;
  const all = [...cast.people, ...cast.drinks].map((_, at) => at);
  return all.flatMap((one) => {
    const name = sentenceStart(nameOf(cast, one));
    const ends: Clue = {
      says: `${name} is at one of the two ends.`,
      holds: (world) => world[one] === 0 || world[one] === count - 1,
    };
    return [ends, ...all.filter((other) => other !== one).flatMap((other) => relations(cast, one, other))];
  });
}

function relations(cast: Cast, one: number, other: number): Clue[] {
  const [name, otherName] = [sentenceStart(nameOf(cast, one)), nameOf(cast, other)];
  const apart = (world: World): number => (world[other] ?? 0) - (world[one] ?? 0);
  const ordered: Clue[] = [
    { says: `${name} is directly to the left of ${otherName}.`, holds: (world) => apart(world) === 1 },
    { says: `${name} is somewhere to the left of ${otherName}.`, holds: (world) => apart(world) > 0 },
  ];
  if (other < one) return ordered;
  const drink = one < cast.people.length ? cast.drinks[other - cast.people.length] : undefined;
  return [
    ...ordered,
    { says: `${name} is next to ${otherName}.`, holds: (world) => Math.abs(apart(world)) === 1 },
    {
      says: `Exactly one person is between ${nameOf(cast, one)} and ${otherName}.`,
      holds: (world) => Math.abs(apart(world)) === 2,
    },
    ...(drink === undefined
      ? []
      : [{ says: `${name} does not have ${drink}.`, holds: (world: World) => apart(world) !== 0 }]),
  ];
}

function nameOf({ people, drinks }: Cast, subject: number): string {
  return people[subject] ?? `the person with ${drinks[subject - people.length]}`;
}

function sentenceStart(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The people from left to right, each with the drink. */
function described({ people, drinks }: Cast, world: World): string {
  const at = (place: number, offset: number): number =>
    people.findIndex((_, subject) => world[offset + subject] === place);
  return people
    .map((_, place) => [people[at(place, 0)], drinks[at(place, people.length)]].filter(Boolean).join(' '))
    .join(', ');
}

/** The names and drinks of a value in their order, if it says nothing else. */
function readOrder({ people, drinks }: Cast, value: string): string | undefined {
  if (value.length > CHARACTERS_MAX) return undefined;
  const words = value.split(/[^\p{L}]+/u).filter((word) => word !== '' && !FILLERS.has(word.toLowerCase()));
  const named = words.map((word) => [...people, ...drinks].find((name) => name.toLowerCase() === word.toLowerCase()));
  if (named.some((name) => name === undefined)) return undefined;
  if (drinks.length === 0) return named.join(', ');
  const pairs = Array.from({ length: Math.ceil(named.length / 2) }, (_, at) => named.slice(2 * at, 2 * at + 2));
  return pairs.map((pair) => pair.join(' ')).join(', ');
}
