import { answerLineOf, normalisedAnswer, statedAnswer } from '../../../prompting/answer-line';
import { type Labelled, letterLabel, shuffled } from '../../../prompting/blind-labels';
import { saysUnchanged } from '../../../prompting/remarks';
import type { Section } from '../../arbiter/explanation';
import { anonymous, type Contributor, replaceText } from '../../panel/contributors';
import { readRevision } from '../../panel/revision';
import type { Run } from '../../run';

/** A worked solution as its author ends it. */
export interface Chain {
  /** The steps and the line with the answer; without the lines about the check and about what changed. */
  readonly text: string;
  readonly answer: string | undefined;
  readonly check: Check | undefined;
}

/** One reader's finding about another's chain. */
export interface Check {
  readonly verified: boolean;
  /** E.g. `step 3: divides by zero`. */
  readonly finding: string;
}

/** A contributor with what its chain amounts to, and what its last checker found. */
export interface Solver extends Contributor {
  answer: string | undefined;
  check: (Check & { readonly by: string }) | undefined;
}

/** A solver from its first reply. */
export function solverOf(contributor: Contributor): Solver {
  const { text, answer: stated } = parseChain(contributor.text);
  const answer = contributor.isCut ? undefined : stated;
  return { ...contributor, text: text || contributor.text, answer, check: undefined };
}

/** Takes over what a solver now says; last lines or a remark leave its steps as they were, another answer voids its check. */
export function restate(run: Run, solver: Solver, { text: said, answer = solver.answer }: Chain): void {
  const text = withoutRemark(said);
  const isSame = sameAnswer(answer, solver.answer);
  if (solver.answer !== undefined && !isSame) solver.check = undefined;
  if (beforeAnswer(text) !== '') replaceText(run, solver, text);
  else replaceText(run, solver, text === '' || isSame ? '' : `${stepsOf(solver)}\n${text}`.trim());
  solver.answer = answer;
}

function withoutRemark(said: string): string {
  const steps = beforeAnswer(said);
  return saysUnchanged(steps) ? said.slice(said.indexOf(steps) + steps.length).trim() : said;
}

/** Steps of a solver; empty where they only say the answer once more. */
function stepsOf({ text, answer }: Solver): string {
  const steps = beforeAnswer(text);
  return sameAnswer(steps, answer) ? '' : steps;
}

/** True where several solvers have come to one answer; a single one has none to agree with. */
export function unanimous([first, ...others]: readonly Solver[]): boolean {
  if (first?.answer === undefined || others.length === 0) return false;
  return others.every(({ answer }) => sameAnswer(answer, first.answer));
}

function sameAnswer(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && normalisedAnswer(one) === normalisedAnswer(other);
}

const VERIFIED = /^\W*(?:(?:all|every|each) steps? (?:is |are )?)?verified\b/i;

/** Reads a chain from a reply; lines that are missing are undefined, never guessed. `former` is the solver's own. */
export function parseChain(reply: string, former = ''): Chain {
  const { text, said } = readRevision(reply, former, ['CHECK']);
  const { CHECK: finding } = said;
  const check = finding ? { verified: VERIFIED.test(finding), finding } : undefined;
  return { text, answer: statedAnswer(text.split('\n')), check };
}

function beforeAnswer(text: string): string {
  const lines = text.trimEnd().split('\n');
  const at = answerLineOf(lines);
  return at < 0 ? text : lines.slice(0, at).join('\n').trim();
}

/** Chains with one final answer, in the arbiter's order. */
export interface ChainGroup {
  readonly answer: string;
  readonly chains: readonly (Solver & Labelled)[];
}

const NO_ANSWER = '(none stated)';

/** The groups as the arbiter is shown them: in an order in which size does not count, the labels in reading order. */
export function chainGroups(run: Run, solvers: readonly Solver[]): ChainGroup[] {
  const answerOf = ({ answer = NO_ANSWER }: Solver): string => answer;
  const grouped = Map.groupBy(anonymous(run, solvers), (solver) => normalisedAnswer(answerOf(solver)));
  let labels = 0;
  return shuffled([...grouped.values()], { requestId: run.id, reader: 'arbiter', step: 'groups' }).map((group) => {
    const chains = group.map((chain) => ({ ...chain, label: letterLabel(labels++) }));
    return { answer: chains.map(answerOf)[0] ?? NO_ANSWER, chains };
  });
}

/** Solvers by how many agree with them, most first. */
export function bySupport(groups: readonly ChainGroup[], solvers: readonly Solver[]): Solver[] {
  const support = new Map(groups.flatMap(({ chains }) => chains.map(({ seat }) => [seat, chains.length] as const)));
  return solvers.toSorted((a, b) => (support.get(b.seat) ?? 0) - (support.get(a.seat) ?? 0));
}

/** For people: the answers by support and who gave them, in request order, and what the checks found. */
export function foundSections(groups: readonly ChainGroup[], solvers: readonly Solver[]): Section[] {
  const given = groups
    .toSorted((a, b) => b.chains.length - a.chains.length)
    .map(({ answer, chains }) => {
      const authors = solvers.filter(({ seat }) => chains.some((chain) => chain.seat === seat));
      return `${answer}: ${authors.map(({ seat }) => seat.label).join(', ')}`;
    });
  const checks = solvers.flatMap(({ seat, check }) => (check ? [`${seat.label}: ${check.finding}`] : []));
  return [
    { title: 'Final answers', lines: given },
    { title: 'Review', lines: checks },
  ];
}
