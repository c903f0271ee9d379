import type { RunStrategy } from './run-settings';

/** One step of a strategy as it is drawn: so many texts side by side, of a kind. */
export interface PictureStep {
  readonly texts: number;
  readonly kind: 'participant' | 'arbiter';
  /** The texts of the step before that each text of this step was shown: all, the others', or its own alone. */
  readonly shown: 'all' | 'others' | 'own';
}

/** A strategy as it is offered. */
export interface StrategyRow {
  readonly id: RunStrategy;
  readonly name: string;
  /** The course of the strategy, in one sentence. */
  readonly what: string;
  /** The questions it is for. */
  readonly when: string;
  readonly picture: readonly PictureStep[];
}

const answer: PictureStep = { texts: 1, kind: 'arbiter', shown: 'all' };
const one: PictureStep = { texts: 1, kind: 'arbiter', shown: 'all' };
const drafts = (texts: number): PictureStep => ({ texts, kind: 'participant', shown: 'all' });
const others = (texts: number): PictureStep => ({ texts, kind: 'participant', shown: 'others' });
const own = (texts: number): PictureStep => ({ texts, kind: 'participant', shown: 'own' });

/** All of them, in the order in which they are offered. */
export const STRATEGY_ROWS: readonly StrategyRow[] = [
  {
    id: 'competitive_refinement',
    name: 'Competitive refinement',
    what: 'Every model drafts, improves its draft in the light of the others, and ranks them.',
    when: 'For questions with one best answer.',
    picture: [drafts(3), others(3), answer],
  },
  {
    id: 'collaborative_synthesis',
    name: 'Collaborative synthesis',
    what: 'Every model contributes, then each combines all contributions.',
    when: 'For answers that must be complete.',
    picture: [drafts(3), drafts(3), answer],
  },
  {
    id: 'expert_panel',
    name: 'Expert panel',
    what: 'The arbiter gives each participant a point of view; they concur or dissent.',
    when: 'For decisions with several sides.',
    picture: [one, drafts(3), others(3), answer],
  },
  {
    id: 'debate_tournament',
    name: 'Debate',
    what: 'Two sides argue for and against a first answer; the arbiter judges in both orders.',
    when: 'For disputed questions.',
    picture: [drafts(1), drafts(2), others(2), answer],
  },
  {
    id: 'hierarchical',
    name: 'Hierarchical',
    what: 'One model plans, several do a part each, one reviews the parts.',
    when: 'For large tasks that can be divided.',
    picture: [drafts(1), drafts(2), drafts(1), answer],
  },
  {
    id: 'chain_of_thought',
    name: 'Chain of thought',
    what: 'Every model works out a solution, then checks another’s step by step.',
    when: 'For problems whose steps can be checked.',
    picture: [drafts(3), own(3), answer],
  },
  {
    id: 'red_team_blue_team',
    name: 'Red team, blue team',
    what: 'One half answers, the other attacks, the first corrects what is really wrong.',
    when: 'For answers that must not be wrong.',
    picture: [drafts(2), drafts(2), drafts(2), answer],
  },
  {
    id: 'single',
    name: 'One model alone',
    what: 'The arbiter answers by itself, in one call.',
    when: 'As a baseline for an ensemble.',
    picture: [one],
  },
];

/** The name of a strategy for people; kept runs have `pass_through` for one model alone. */
export function strategyLabel(id: string): string {
  const known = id === 'pass_through' ? 'single' : id;
  return STRATEGY_ROWS.find((row) => row.id === known)?.name ?? id;
}
