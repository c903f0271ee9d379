import { type Cast, subjectName, type World } from './world.ts';

/** Something that is said of who stands where. */
export interface Clue {
  readonly says: string;
  holds(world: World): boolean;
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

/** Everything true of a world that a puzzle may say of one subject, and of two. That somebody stands at a place is left out. */
export function trueClues(cast: Cast, world: World): { readonly aboutOne: Clue[]; readonly aboutTwo: Clue[] } {
  return {
    aboutOne: aboutOne(cast).filter(({ holds }) => holds(world)),
    aboutTwo: aboutTwo(cast).filter(({ holds }) => holds(world)),
  };
}

function aboutOne(cast: Cast): Clue[] {
  const count = cast.people.length;
  return subjects(cast).flatMap((one) => {
    const name = sentenceStart(subjectName(cast, one));
    return [
      ...ORDINALS.slice(0, count).map((ordinal, place) => ({
        says: `${name} is not the ${ordinal} from the left.`,
        holds: (world: World) => world[one] !== place,
      })),
      {
        says: `${name} is at one of the two ends.`,
        holds: (world: World) => world[one] === 0 || world[one] === count - 1,
      },
    ];
  });
}

function aboutTwo(cast: Cast): Clue[] {
  const all = subjects(cast);
  return all.flatMap((one) => all.filter((other) => other !== one).flatMap((other) => relations(cast, one, other)));
}

function relations(cast: Cast, one: number, other: number): Clue[] {
  const name = sentenceStart(subjectName(cast, one));
  const otherName = subjectName(cast, other);
  const place = (world: World, subject: number): number => world[subject] ?? 0;
  const apart = (world: World): number => place(world, other) - place(world, one);
  const ordered = [
    { says: `${name} is directly to the left of ${otherName}.`, holds: (world: World) => apart(world) === 1 },
    { says: `${name} is somewhere to the left of ${otherName}.`, holds: (world: World) => apart(world) > 0 },
  ];
  if (other < one) return ordered;
  return [
    ...ordered,
    { says: `${name} is next to ${otherName}.`, holds: (world: World) => Math.abs(apart(world)) === 1 },
    {
      says: `${name} and ${otherName} are different people and are not next to each other.`,
      holds: (world: World) => Math.abs(apart(world)) > 1,
    },
    {
      says: `Exactly one person is between ${subjectName(cast, one)} and ${otherName}.`,
      holds: (world: World) => Math.abs(apart(world)) === 2,
    },
    ...havingDrink(cast, one, other),
  ];
}

/** Who does not have which drink; who has which would say too much. */
function havingDrink({ people, drinks }: Cast, one: number, other: number): Clue[] {
  const drink = drinks[other - people.length];
  if (one >= people.length || drink === undefined) return [];
  return [{ says: `${people[one]} does not have ${drink}.`, holds: (world: World) => world[one] !== world[other] }];
}

function subjects({ people, drinks }: Cast): number[] {
  return [...people, ...drinks].map((_, at) => at);
}

function sentenceStart(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
