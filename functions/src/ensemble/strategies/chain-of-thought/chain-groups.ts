import { type Labelled, letterLabel, shuffled } from '../../../prompting/blind-labels';
import { normalisedAnswer } from '../../../prompting/normalised-answer';
import type { Section } from '../../arbiter/explanation';
import { anonymous } from '../../panel/contributors';
import type { Run } from '../../run';
import type { Solver } from './chain';

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
