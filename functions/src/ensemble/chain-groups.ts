import { type Labelled, letterLabel, shuffled } from './anonymise';
import { normalisedAnswer } from './chain';
import type { Section } from './explanation';
import type { Seat } from './panel';
import { anonymous } from './players';
import type { JudgedGroup } from './prompts/chain-of-thought';
import type { Run } from './run';
import type { Solver } from './solver';

type LabelledSolver = Solver & Labelled;

/** Chains with one final answer, in the arbiter's order. */
export interface ChainGroup {
  readonly answer: string;
  readonly chains: LabelledSolver[];
}

const NO_ANSWER = '(none stated)';

/** The groups as the arbiter is shown them: in an order in which size does not count, the labels in reading order. */
export function chainGroups(run: Run, solvers: readonly Solver[]): ChainGroup[] {
  const grouped = groupsOf(anonymous(run, solvers, { reader: 'arbiter', step: 'final' }));
  const groups = shuffled(grouped, { requestId: run.id, reader: 'arbiter', step: 'groups' });
  const place = new Map(groups.flatMap(({ chains }) => chains).map(({ seat }, index) => [seat, index]));
  return groups.map(({ answer, chains }) => ({
    answer,
    chains: chains.map((chain) => ({ ...chain, label: letterLabel(place.get(chain.seat) ?? 0) })),
  }));
}

function groupsOf(solvers: readonly LabelledSolver[]): ChainGroup[] {
  const groups = new Map<string, ChainGroup>();
  for (const solver of solvers) {
    const answer = solver.answer ?? NO_ANSWER;
    const key = normalisedAnswer(answer);
    const group = groups.get(key) ?? { answer, chains: [] };
    group.chains.push(solver);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** How many agree with a solver, itself included. */
export function support(groups: readonly ChainGroup[], { seat }: { readonly seat: Seat }): number {
  return groups.find(({ chains }) => chains.some((chain) => chain.seat === seat))?.chains.length ?? 0;
}

/** A group as the arbiter is shown it: without names. */
export function judgedGroup(run: Run, { answer, chains }: ChainGroup): JudgedGroup {
  return {
    answer: run.mask(answer),
    chains: chains.map(({ label, text, check }) => ({ label, text, check: check && run.mask(check.finding) })),
  };
}

/** For people: the answers by support, and who gave them, in request order. */
export function foundSections(groups: readonly ChainGroup[], solvers: readonly Solver[]): Section[] {
  const bySize = [...groups].sort((a, b) => b.chains.length - a.chains.length);
  const checked = solvers.filter(({ check }) => check !== undefined);
  const given = ({ chains }: ChainGroup): string =>
    solvers
      .filter(({ seat }) => chains.some((chain) => chain.seat === seat))
      .map(({ seat }) => seat.label)
      .join(', ');
  return [
    {
      title: 'Final answers',
      lines: bySize.map((group) => `${group.answer}: ${given(group)}`),
    },
    { title: 'Checks', lines: checked.map(({ seat, check }) => `${seat.label}: ${check?.finding}`) },
  ];
}
