/*
 * Rules of a caller for the answer, checked by code (`rules`, `language-rule`). Must not know calls or a strategy. Why
 * patterns run on RE2JS: docs/adr/0015.
 */
import type { InTurn } from '../../lib/turns';
import type { FencedText, PromptBlock } from '../../prompting/prompt-draft';

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

export interface AnswerChecks {
  readonly rules: readonly CheckRule[];
  /** True where an answer that fails may be asked for once more; one that is streamed was read by then. */
  readonly repairs: boolean;
}

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

/** Texts that an arbiter reads, with the seats whose they are. */
interface ShownTexts {
  readonly material: readonly PromptBlock[];
  /** The last text of each seat, as it wrote it. */
  readonly texts: ReadonlyMap<string, string>;
  readonly inTurn: InTurn;
}

/** For the arbiter: how each text before it stands to the checks, fenced, as names out of a text may stand there. */
export async function candidateCheckWords(checks: AnswerChecks, shown: ShownTexts): Promise<PromptBlock[]> {
  const lines: string[] = [];
  for (const { title, text } of lastTexts(shown)) {
    lines.push(`${title}: ${resultWords(await runChecks(checks, text, shown.inTurn))}`);
  }
  if (lines.length === 0) return [];
  return [
    'The user set rules for the answer. A program, not a model, has checked each text above against them:',
    { title: 'check results', text: lines.join('\n') },
    'A text that fails may still be right in what it says: use that, in a form that passes.',
  ];
}

/** The first block of each seat is its last text; further ones are older. In the order shown. */
function lastTexts({ material, texts }: ShownTexts): { readonly title: string; readonly text: string }[] {
  const blocks = material.filter((block): block is FencedText => typeof block !== 'string' && !block.minor);
  const firsts = Map.groupBy(blocks, ({ by }) => by);
  return [...firsts].flatMap(([seat, [first]]) => {
    const text = typeof seat === 'string' ? texts.get(seat) : undefined;
    return first && text !== undefined ? [{ title: first.title, text }] : [];
  });
}

function resultWords(results: readonly CheckResult[]): string {
  const flaws = flawsIn(results);
  const unknown = results.filter(({ passed }) => passed === null).map(({ words }) => words);
  const verdict = flaws.length > 0 ? `FAILS: ${flaws.join('; ')}.` : 'PASSES.';
  return unknown.length === 0 ? verdict : `${verdict} Not known: ${unknown.join('; ')}.`;
}
