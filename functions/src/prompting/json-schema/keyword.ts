import type { JsonObject } from './canonical-json';

/** One place of a value and the schema it is held to. */
export interface Place<Value = unknown> {
  readonly schema: JsonObject;
  readonly value: Value;
  /** JSON pointer to the value. */
  readonly at: string;
}

/** The walk that a keyword is checked in. */
export interface Walk {
  /** The whole schema, in which references are looked up. */
  readonly root: unknown;
  /** Whether a value fits a schema; nobody is told why it does not. */
  fits(schema: unknown, value: unknown): boolean;
  /** Holds a value to a schema, and notes what is wrong with it. */
  hold(schema: unknown, value: unknown, at: string): void;
  note(at: string, rule: string): void;
  /** Work done, in comparisons: there is an end to it. */
  spend(steps: number): void;
  /** The canonical texts of a list in the schema, made once. */
  canonicalSet(list: readonly unknown[]): ReadonlySet<string>;
}

/** What a keyword of a schema demands; an argument that means nothing demands nothing. */
export type Keyword<Value = unknown> = (argument: unknown, place: Place<Value>, walk: Walk) => void;

/** What comparing so many characters costs, against one comparison. */
const CHARACTERS_A_STEP = 16;

/** What comparing a value costs: its parts, and its characters by the dozen. */
export function costOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / CHARACTERS_A_STEP;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, each]) => sum + costOf(name) + costOf(each), 1);
}

/** Keywords that say nothing of values of another kind. */
export function ofKind<Value>(
  isOfKind: (value: unknown) => value is Value,
  keywords: Readonly<Record<string, Keyword<Value>>>,
): Readonly<Record<string, Keyword>> {
  const guarded = Object.entries(keywords).map(([name, keyword]): [string, Keyword] => [
    name,
    (argument, { value, ...place }, walk) => {
      if (isOfKind(value)) keyword(argument, { ...place, value }, walk);
    },
  ]);
  return Object.fromEntries(guarded);
}

/** A bound of a number, or of how much of something there is. */
export function bound<Value>(
  measure: (value: Value) => number,
  holds: (measured: number, limit: number) => boolean,
  [rule, unit]: readonly [rule: string, unit: string],
): Keyword<Value> {
  return (limit, { value, at }, walk) => {
    if (typeof limit !== 'number') return;
    const measured = measure(value);
    if (typeof value !== 'number') walk.spend(1 + measured / CHARACTERS_A_STEP);
    if (!holds(measured, limit)) walk.note(at, `must ${rule} ${limit}${unit}`);
  };
}

/** The list that a keyword has; none where it has something else. */
export function listOf(argument: unknown): readonly unknown[] {
  if (Array.isArray(argument)) return argument;
  return [];
}

/** The names in an object, paid for. */
export function namesIn(object: JsonObject, walk: Walk): readonly string[] {
  const names = Object.keys(object);
  walk.spend(names.reduce((sum, name) => sum + costOf(name), 0));
  return names;
}
