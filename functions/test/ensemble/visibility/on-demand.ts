import type { StrategyName } from '../../../src/ensemble/strategies/strategies';
import type { ExpectedCall, ExpectedWave, Setup, StrategyProof } from './setup';
import { UMPIRE } from './wave-models';

/** Author of the first draft: a member whose model is the arbiter's, or the arbiter itself. */
export interface OnDemand {
  readonly proof: StrategyProof;
  readonly setup: Setup;
  readonly drafter: string;
}

/** The token of the first draft. */
export function firstToken(drafter: string): string {
  return `${drafter}.first`;
}

/**
 * Waves of a run whose first draft says that the panel is needed: one call that is shown the conversation alone,
 * then the strategy. Where its first texts are plain answers, the draft is its author's, who is not asked again; one of an
 * arbiter that is no participant is read with all others. Elsewhere nobody is shown it.
 */
export function wavesOnDemand({ proof, setup, drafter }: OnDemand): ExpectedWave[] {
  const waves = proof.waves(setup);
  const use = useOf({ proof, setup, drafter });
  const first: ExpectedWave = { round: 1, calls: [{ who: drafter, does: 'draft' }] };
  if (use === 'none') return [first, ...waves];
  if (use === 'shown to all') return [first, ...waves.map((wave) => withSeen(wave, firstToken(drafter)))];
  const asked = waves.findIndex(({ calls }) => calls.some((call) => isFirstText(call, drafter)));
  const rest = waves.map(({ round, calls }, index) => ({
    round,
    calls: index === asked ? calls.filter((call) => !isFirstText(call, drafter)) : calls,
  }));
  const renamed = rest.map((wave) => ({ ...wave, calls: wave.calls.map((call) => withFirst(call, drafter)) }));
  return [first, ...renamed.filter(({ calls }) => calls.length > 0)];
}

/** Number of calls beside the strategy's own: none where the draft takes the place of one. */
export function callsBeside(run: OnDemand): number {
  return useOf(run) === 'its author’s' ? 0 : 1;
}

type Use = 'its author’s' | 'shown to all' | 'none';

/** Use of the draft of a member at a place of `n`, of -1 for an arbiter that is no member. */
type UseAt = (place: number, n: number) => Use;

const PLAIN: UseAt = (place) => (place < 0 ? 'shown to all' : 'its author’s');
const SET_ASIDE: UseAt = () => 'none';
const USES: Readonly<Record<StrategyName, UseAt>> = {
  competitive_refinement: PLAIN,
  collaborative_synthesis: PLAIN,
  expert_panel: SET_ASIDE,
  // The first speaker alone answers the message itself, and one that plays both sides has two seats.
  debate_tournament: (place, n) => (place === 0 && n > 1 ? 'its author’s' : 'none'),
  hierarchical: SET_ASIDE,
  chain_of_thought: SET_ASIDE,
  // Blue drafts.
  red_team_blue_team: (place) => (place >= 0 && place % 2 === 0 ? 'its author’s' : 'none'),
};

function useOf({ proof, setup: { members }, drafter }: OnDemand): Use {
  return USES[proof.strategy](members.indexOf(drafter), members.length);
}

function isFirstText({ who, does, sees = [] }: ExpectedCall, drafter: string): boolean {
  return who === drafter && does === 'draft' && sees.length === 0;
}

/** The first draft where the strategy’s own would be. */
function withFirst(call: ExpectedCall, drafter: string): ExpectedCall {
  const renamed = (tokens: readonly string[]) =>
    tokens.map((token) =>
      [0, 1].some((round) => token === `${drafter}.draft.${round}`) ? firstToken(drafter) : token,
    );
  return { ...call, ...(call.own && { own: renamed(call.own) }), ...(call.sees && { sees: renamed(call.sees) }) };
}

function withSeen({ round, calls }: ExpectedWave, token: string): ExpectedWave {
  return {
    round,
    calls: calls.map((call) => (call.does === 'draft' ? call : { ...call, sees: [...(call.sees ?? []), token] })),
  };
}

/**
 * Members that may draft first in a panel: everybody in it, whose model is the arbiter's then, and an arbiter outside. One that is
 * alone with itself in one round answers in a single call in any mode.
 */
export function drafters({ proof, setup }: Omit<OnDemand, 'drafter'>): string[] {
  const { members, rounds, explained } = setup;
  const isDirect = members.length === 1 && rounds === 1 && !explained && USES[proof.strategy] === PLAIN;
  return [...(isDirect ? [] : members), UMPIRE];
}
