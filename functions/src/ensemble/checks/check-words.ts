import type { InTurn } from '../../lib/turns';
import { type CallPurpose, WRITING } from '../../models/model';
import type { FencedText, PromptBlock } from '../../prompting/prompt-draft';
import { type AnswerChecks, type CheckResult, flawsIn, runChecks } from './answer-checks';

/** Ends the prompt of whoever writes the final answer; empty without checks. */
export function finalCheckWords(checks: AnswerChecks | undefined): string[] {
  if (!checks) return [];
  return [`A program will check that all of this is true of your answer; do not mention it:\n${listOf(checks)}`];
}

/** Ends the prompt of a participant whose text may become the answer; `hasTask`: it is asked for more than the answer. */
export function draftCheckWords(checks: AnswerChecks | undefined, purpose: CallPurpose, hasTask: boolean): string[] {
  if (!checks || !WRITING.has(purpose)) return [];
  const besides = hasTask ? '; lines for the service do not count.' : '.';
  return [
    `A program will check that all of this is true of the final answer, which is made from your text and others:\n${listOf(checks)}\nIf you write a whole answer, it must be true of yours as well${besides}`,
  ];
}

function listOf({ rules }: AnswerChecks): string {
  return rules.map(({ requirement }) => `- ${requirement}`).join('\n');
}

/** The texts that an arbiter reads, with the seats whose they are. */
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
  const blocks = material.filter((block): block is FencedText => typeof block !== 'string');
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
