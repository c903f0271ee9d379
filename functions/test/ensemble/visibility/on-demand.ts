import type { StrategyName } from '../../../src/ensemble/strategies/strategies';
import type { ExpectedCall, ExpectedWave, Setup, StrategyProof } from './setup';
import { UMPIRE } from './wave-models';

/** Author of the first draft: a member whose model is the arbiter's, or the arbiter itself. */
export interface OnDemand {
  readonly proof: StrategyProof;
  readonly setup: Setup;
  readonly drafter: string;
}

/** The token of a draft that was there before the strategy began. */
export function firstToken(who: string): string {
  return `${who}.first`;
}

/**
 * Waves of a run whose first drafts do not settle the matter: two calls that are shown the conversation alone, then the
 * strategy. Where its first texts are plain answers, a draft is its author's, who is not asked again; one of an arbiter
 * that is no participant is read with all others. Elsewhere nobody is shown it.
 */
export function wavesOnDemand(run: OnDemand): ExpectedWave[] {
  const { proof, setup } = run;
  const first: ExpectedWave = { round: 1, calls: firstDrafters(run).map((who) => ({ who, does: 'draft' })) };
  const waves = firstDrafters(run).reduce((rest, who) => wavesAfter(rest, who, useOf(run, who)), proof.waves(setup));
  return [first, ...waves.filter(({ calls }) => calls.length > 0)];
}

function wavesAfter(waves: readonly ExpectedWave[], who: string, use: Use): ExpectedWave[] {
  if (use === 'none') return [...waves];
  if (use === 'shown to all') return waves.map((wave) => withSeen(wave, firstToken(who)));
  const asked = waves.findIndex(({ calls }) => calls.some((call) => isFirstText(call, who)));
  return waves.map(({ round, calls }, index) => ({
    round,
    calls: (index === asked ? calls.filter((call) => !isFirstText(call, who)) : calls).map((call) =>
      withFirst(call, who),
    ),
  }));
}

/** Number of calls beside the strategy's own: none where a draft takes the place of one. */
export function callsBeside(run: OnDemand): number {
  return firstDrafters(run).filter((who) => useOf(run, who) !== 'its author’s').length;
}

/** The drafter, and a member beside it: the first whose draft is of use, else the first at all. */
export function firstDrafters(run: OnDemand): string[] {
  const others = run.setup.members.filter((who) => who !== run.drafter);
  const second = others.find((who) => useOf(run, who) === 'its author’s') ?? others[0];
  return [run.drafter, ...(second === undefined ? [] : [second])];
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

function useOf({ proof, setup: { members } }: OnDemand, who: string): Use {
  return USES[proof.strategy](members.indexOf(who), members.length);
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
