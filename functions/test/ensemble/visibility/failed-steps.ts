import { debateTournament } from './debate-tournament';
import { hierarchical } from './hierarchical';
import { redTeamBlueTeam } from './red-team-blue-team';
import type { ExpectedCall, ExpectedWave, StrategyProof } from './setup';
import { UMPIRE } from './wave-models';

/** A step that fails as a whole. */
interface FailedStep {
  readonly rule: string;
  readonly proof: StrategyProof;
  readonly silent: readonly string[];
  readonly waves: readonly ExpectedWave[];
}

const answering = (sees: readonly string[]): ExpectedWave => ({
  round: 0,
  calls: [{ who: UMPIRE, does: 'answer', sees }],
});
const asking = (round: number, ...calls: readonly ExpectedCall[]): ExpectedWave => ({ round, calls });
const draft = (who: string, sees: readonly string[] = []): ExpectedCall => ({ who, does: 'draft', sees });

const PLAN = ['check', 'decision', 'task0', 'task1', 'title0', 'title1'].map((part) => `ash.plan.0.${part}`);

/** Steps that fail as a whole, with four members in three rounds: what is done instead. */
export const FAILED_STEPS: readonly FailedStep[] = [
  {
    rule: 'the whole blue team fails: the red team answers, and nobody attacks',
    proof: redTeamBlueTeam,
    silent: ['ash.0', 'cedar.0'],
    waves: [
      asking(0, draft('ash'), draft('cedar')),
      asking(0, draft('birch'), draft('dogwood')),
      answering(['birch.draft.0', 'dogwood.draft.0']),
    ],
  },
  {
    rule: 'the whole red team fails: it ends with the answers as they are',
    proof: redTeamBlueTeam,
    silent: ['birch.1', 'dogwood.1'],
    waves: [
      asking(0, draft('ash'), draft('cedar')),
      asking(
        1,
        ...['birch', 'dogwood'].map(
          (who) => ({ who, does: 'attack', sees: ['ash.draft.0', 'cedar.draft.0'] }) as const,
        ),
      ),
      answering(['ash.draft.0', 'cedar.draft.0']),
    ],
  },
  {
    rule: 'the whole proposition fails: the opposition answers instead, with nothing to oppose and nothing to judge',
    proof: debateTournament,
    silent: ['ash.1', 'cedar.1'],
    waves: [
      asking(1, draft('ash')),
      asking(1, draft('cedar')),
      asking(1, draft('birch'), draft('dogwood')),
      answering(['birch.draft.1', 'dogwood.draft.1']),
    ],
  },
  {
    rule: 'all implementers fail: strategist and reviewer answer the message themselves, without the plan',
    proof: hierarchical,
    silent: ['birch.1', 'cedar.1'],
    waves: [
      asking(0, { who: 'ash', does: 'plan' }),
      asking(1, draft('birch', PLAN), draft('cedar', PLAN)),
      asking(1, draft('ash'), draft('dogwood')),
      answering(['ash.draft.1', 'dogwood.draft.1']),
    ],
  },
  {
    rule: 'the strategist fails: every implementer does the whole task',
    proof: hierarchical,
    silent: ['ash.0'],
    waves: [
      asking(0, { who: 'ash', does: 'plan' }),
      asking(1, draft('birch'), draft('cedar')),
      asking(1, { who: 'dogwood', does: 'review', sees: ['birch.draft.1', 'cedar.draft.1'] }),
      asking(2, ...reworked(1, [])),
      asking(2, { who: 'dogwood', does: 'review', sees: ['birch.revise.2', 'cedar.revise.2'] }),
      asking(3, ...reworked(2, [])),
      asking(3, { who: 'dogwood', does: 'review', sees: ['birch.revise.3', 'cedar.revise.3'] }),
      answering(['birch.revise.3', 'cedar.revise.3', 'dogwood.review.3.birch', 'dogwood.review.3.cedar']),
    ],
  },
  {
    rule: 'the reviewer fails: it ends with the parts as they are',
    proof: hierarchical,
    silent: ['dogwood.2'],
    waves: [
      asking(0, { who: 'ash', does: 'plan' }),
      asking(1, draft('birch', PLAN), draft('cedar', PLAN)),
      asking(1, { who: 'dogwood', does: 'review', sees: [...PLAN, 'birch.draft.1', 'cedar.draft.1'] }),
      asking(2, ...reworked(1, PLAN)),
      asking(2, { who: 'dogwood', does: 'review', sees: [...PLAN, 'birch.revise.2', 'cedar.revise.2'] }),
      answering([...PLAN, 'birch.revise.2', 'cedar.revise.2']),
    ],
  },
];

function reworked(after: number, plan: readonly string[]): ExpectedCall[] {
  const does = after === 1 ? 'draft' : 'revise';
  return ['birch', 'cedar'].map((who) => ({
    who,
    does: 'revise',
    own: [`${who}.${does}.${after}`],
    sees: [...plan, `dogwood.review.${after}.${who}`],
  }));
}
