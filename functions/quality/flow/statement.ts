import type { Belief } from './world';

/** A text that states a value, as its reader sees it. */
export interface Statement extends Belief {
  /** What the fence calls it. */
  readonly title: string;
}

const STATED = /It is (\d+), confidence (\d+)\./;

/** A member's text: what it believes, how sure it is, and as many words as it takes. */
export function textOf({ value, words, confidence }: Belief): string {
  return `It is ${value}, confidence ${confidence}. ${'word '.repeat(words)}`.trim();
}

/** The statement in a text; undefined where it has none. */
export function statementIn(title: string, text: string): Statement | undefined {
  const [, value, confidence] = STATED.exec(text) ?? [];
  if (value === undefined) return undefined;
  return { title, value, words: text.split(/\s+/).length, confidence: Number(confidence) };
}
