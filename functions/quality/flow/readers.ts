import type { Statement } from './statement';
import { RIGHT } from './world';

/** How one who reads several statements comes to a value: the index of the statement it goes by. */
export type Reader = (statements: readonly Statement[]) => number;

/** Arbiters, and what they go by. */
export const ARBITERS = {
  /** Knows what is right when it sees it. */
  oracle: (statements) => at(statements.findIndex(({ value }) => value === RIGHT)),
  majority: (statements) => mostFrequent(statements),
  longest: (statements) => greatest(statements, ({ words }) => words),
  first: () => 0,
} as const satisfies Readonly<Record<string, Reader>>;
export type ArbiterName = keyof typeof ARBITERS;
export const ARBITER_NAMES = Object.keys(ARBITERS) as ArbiterName[];

/** Members who read others' texts, their own first among them, and what they go by. */
export const MEMBERS = {
  /** Stays with its own. */
  steadfast: () => 0,
  majority: (statements) => mostFrequent(statements),
  longest: (statements) => greatest(statements, ({ words }) => words),
  /** Takes the first of the others. */
  first: (statements) => (statements.length > 1 ? 1 : 0),
  /** Goes by who is surest. */
  persuaded: (statements) => greatest(statements, ({ confidence }) => confidence),
  /** Knows what is right when it sees it. */
  discerning: (statements) => at(statements.findIndex(({ value }) => value === RIGHT)),
} as const satisfies Readonly<Record<string, Reader>>;
export type MemberName = keyof typeof MEMBERS;
export const MEMBER_NAMES = Object.keys(MEMBERS) as MemberName[];

function at(index: number): number {
  return Math.max(0, index);
}

/** The value that most state; of several the one that stands first. */
function mostFrequent(statements: readonly Statement[]): number {
  const timesOf = (value: string): number => statements.filter((other) => other.value === value).length;
  return greatest(statements, ({ value }) => timesOf(value));
}

function greatest(statements: readonly Statement[], of: (statement: Statement) => number): number {
  const values = statements.map(of);
  return values.indexOf(Math.max(...values));
}
