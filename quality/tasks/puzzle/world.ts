/**
 * The people and drinks of a puzzle, which are its subjects, and where each stands: people have the numbers from 0, drinks
 * those after them. A world is the place of every subject.
 */
export interface Cast {
  readonly people: readonly string[];
  /** None where people only stand in a row. */
  readonly drinks: readonly string[];
}
export type World = readonly number[];

/** Every way in which so many people may stand, and as many drinks among them or none. */
export function allWorlds(size: { readonly people: number; readonly drinks: number }): World[] {
  const rows = arrangements(size.people);
  if (size.drinks === 0) return rows;
  return rows.flatMap((row) => rows.map((other) => [...row, ...other]));
}

/** How a sentence calls a subject. */
export function subjectName({ people, drinks }: Cast, subject: number): string {
  return people[subject] ?? `the person with ${drinks[subject - people.length]}`;
}

/** The people from left to right, each with the drink. */
export function describeWorld({ people, drinks }: Cast, world: World): string {
  const places = [...people.keys()];
  const at = (place: number, offset: number): number => places.find((one) => world[offset + one] === place) ?? 0;
  return places
    .map((place) => [people[at(place, 0)], drinks[at(place, people.length)]].filter(Boolean).join(' '))
    .join(', ');
}

function arrangements(count: number): number[][] {
  if (count === 0) return [[]];
  return arrangements(count - 1).flatMap((shorter) =>
    Array.from({ length: count }, (_, at) => [...shorter.slice(0, at), count - 1, ...shorter.slice(at)]),
  );
}
