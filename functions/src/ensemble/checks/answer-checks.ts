/*
 * Rules of a caller for the answer, checked by code (`rules`, `language-rule`). `check-words` tells models of
 * them, and the arbiter how the texts stand to them. Imports `prompting/` and
 * `form/`; must not know calls or a strategy. Why patterns run on RE2JS: docs/adr/0015.
 */
import type { InTurn } from '../../lib/turns';

/** The rules that there are, by the names of their options. */
export const CHECK_NAMES = ['maxWords', 'regex', 'language', 'jsonSchema'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** One thing that the answer must satisfy. */
export interface CheckRule {
  readonly name: CheckName;
  /** For models and people, as in `It has at most 200 words.` */
  readonly requirement: string;
  /** Checks a text. Never throws, and has an end. */
  check(text: string): Finding;
}

/** Result of a rule for a text. */
export interface Finding {
  /** Null: that cannot be told. */
  readonly passed: boolean | null;
  /** In words that stand alone, as in `it has 512 words`. */
  readonly words: string;
}

/** All that an answer must satisfy. */
export interface AnswerChecks {
  readonly rules: readonly CheckRule[];
  /** True where an answer that fails may be asked for once more; one that is streamed was read by then. */
  readonly repairs: boolean;
}

/** Result of one of the rules, with its name. */
export interface CheckResult extends Finding {
  readonly check: CheckName;
}

/** Holds a text to all rules, each in its turn beside other heavy work. */
export async function runChecks({ rules }: AnswerChecks, text: string, inTurn: InTurn): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const rule of rules) {
    const finding = await inTurn(text.length, () => rule.check(text));
    results.push({ check: rule.name, ...finding });
  }
  return results;
}

/** Flaws of a text, in words; empty where none is known. */
export function flawsIn(results: readonly CheckResult[]): string[] {
  return results.filter(({ passed }) => passed === false).map(({ words }) => words);
}
