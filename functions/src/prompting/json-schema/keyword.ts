import type { JsonObject, Spend } from './canonical-json';
import { pointerTo } from './json-pointer';

/** One place of a value and the schema it is held to. */
export interface Place<Value = unknown> {
  readonly schema: JsonObject;
  readonly value: Value;
  readonly at: Pointer;
}

/** JSON pointer to a value; undefined where flaws are only counted. */
export type Pointer = string | undefined;
/** Characters of a pointer that are told. */
export const PLACE_CHARACTERS_MAX = 120;

/** The walk that a keyword is checked in. */
export interface Walk {
  /** The whole schema, in which references are looked up. */
  readonly root: unknown;
  /** True if a value fits a schema; nobody is told why it does not. */
  fits(schema: unknown, value: unknown): boolean;
  /** Holds a value to a schema, and notes what is wrong with it; false once no more flaws are wanted. */
  hold(schema: unknown, value: unknown, at: Pointer): boolean;
  /** Notes a flaw, put into words only where somebody is told; false once no more are wanted. */
  note(at: Pointer, rule: () => string): boolean;
  /** There is an end to the work. */
  readonly spend: Spend;
  /** Compares a value with those in the argument of a keyword, of which canonical texts are made once. */
  isOneOf(values: readonly unknown[], value: unknown, argument: unknown): boolean;
}

/** Demand of a keyword of a schema; an argument that means nothing demands nothing. Its result is not used. */
export type Keyword<Value = unknown> = (argument: unknown, place: Place<Value>, walk: Walk) => unknown;

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
  measure: (value: Value, spend: Spend) => number,
  holds: (measured: number, limit: number) => boolean,
  [rule, unit]: readonly [rule: string, unit: string],
): Keyword<Value> {
  return (limit, { value, at }, walk) => {
    if (typeof limit === 'number' && !holds(measure(value, walk.spend), limit))
      walk.note(at, () => `must ${rule} ${limit}${unit}`);
  };
}

/** The pointer one step longer; of a long step no more than is told. */
export function within(at: Pointer, step: string | number): Pointer {
  return at === undefined ? at : pointerTo(at, String(step).slice(0, PLACE_CHARACTERS_MAX + 1));
}

/** The list that a keyword has; none where it has something else. */
export function listOf(argument: unknown): readonly unknown[] {
  return Array.isArray(argument) ? argument : [];
}
