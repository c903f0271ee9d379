import { answerLineOf, normalisedAnswer, statedAnswer } from '../../../prompting/answer-line';
import { saysUnchanged } from '../../../prompting/remarks';
import { type Contributor, replaceText } from '../../panel/contributors';
import { readRevision } from '../../panel/revision';
import type { Run } from '../../run';

export interface Chain {
  /** The steps and the line with the answer; without the lines about the check and about what changed. */
  readonly text: string;
  readonly answer: string | undefined;
  /** Finding about another's chain, e.g. `step 3: divides by zero`. */
  readonly check: { readonly verified: boolean; readonly finding: string } | undefined;
}

/** A contributor with the answer of its chain, and what its last checker found. */
export interface Solver extends Contributor {
  answer: string | undefined;
  check?: { readonly finding: string; readonly by: string } | undefined;
}

export function solverOf(contributor: Contributor): Solver {
  const { text, answer } = parseChain(contributor.text);
  return { ...contributor, text: text || contributor.text, answer: contributor.isCut ? undefined : answer };
}

const VERIFIED = /^\W*(?:(?:all|every|each) steps? (?:is |are )?)?verified\b/i;

/** Reads a chain from a reply; lines that are missing are undefined, never guessed. `former` is the solver's own. */
export function parseChain(reply: string, former = ''): Chain {
  const { text, said } = readRevision(reply, former, ['CHECK']);
  const { CHECK: finding } = said;
  const check = finding ? { verified: VERIFIED.test(finding), finding } : undefined;
  return { text, answer: statedAnswer(text.split('\n')), check };
}

/** Takes over what a solver now says; last lines or a remark leave its steps as they were, another answer voids its check. */
export function restate(run: Run, solver: Solver, { text: said, answer = solver.answer }: Chain): void {
  const saidSteps = beforeAnswer(said);
  const text = saysUnchanged(saidSteps) ? said.slice(said.indexOf(saidSteps) + saidSteps.length).trim() : said;
  const isSame = sameAnswer(answer, solver.answer);
  if (solver.answer !== undefined && !isSame) solver.check = undefined;
  if (beforeAnswer(text) !== '') replaceText(run, solver, text);
  else replaceText(run, solver, text === '' || isSame ? '' : `${stepsOf(solver)}\n${text}`.trim());
  solver.answer = answer;
}

/** Steps of a solver; empty where they only say the answer once more. */
function stepsOf({ text, answer }: Solver): string {
  const steps = beforeAnswer(text);
  return sameAnswer(steps, answer) ? '' : steps;
}

function beforeAnswer(text: string): string {
  const lines = text.trimEnd().split('\n');
  const at = answerLineOf(lines);
  return at < 0 ? text : lines.slice(0, at).join('\n').trim();
}

/** True where several solvers have come to one answer; a single one has none to agree with. */
export function unanimous([first, ...others]: readonly Solver[]): boolean {
  return others.length > 0 && others.every(({ answer }) => sameAnswer(answer, first?.answer));
}

function sameAnswer(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && normalisedAnswer(one) === normalisedAnswer(other);
}
