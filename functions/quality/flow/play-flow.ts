import type { StrategyName } from '../../src/ensemble/strategies/strategies';
import { playRun, requestId } from '../../test/support/played-run';
import type { ArbiterName, MemberName } from './readers';
import { scriptOf } from './script';
import { statementIn } from './statement';
import { type Belief, beliefsOf, type PanelOdds } from './world';

/** A run of the engine with scripted members and a scripted arbiter. */
export interface Flow {
  readonly strategy: StrategyName;
  readonly odds: PanelOdds;
  readonly member: MemberName;
  readonly arbiter: ArbiterName;
  readonly seed: string;
}

/** What went in, and what came out. */
export interface Flowed {
  /** By seat, in order. */
  readonly beliefs: readonly Belief[];
  /** What the answer states; undefined where it states nothing. */
  readonly answer: string | undefined;
  /** What the candidates of the reply state. */
  readonly candidates: readonly (string | undefined)[];
}

const ROUNDS = 2;
const UMPIRE = 'umpire-9';

/** Plays it. Members are models of different makers, so that none is told from its name. */
export async function playFlow({ strategy, odds, member, arbiter, seed }: Flow): Promise<Flowed> {
  const beliefs = beliefsOf(seed, odds);
  const models = beliefs.map((_, index) => `member-${index + 1}`);
  const script = scriptOf({
    strategy,
    member,
    arbiter,
    beliefs: new Map(beliefs.map((one, at) => [models[at] ?? '', one])),
  });
  const played = await playRun({
    ...{ id: requestId(seed), strategy, models, arbiter: UMPIRE, rounds: ROUNDS, script },
    ...{ message: 'How much does it come to?', explain: false },
  });
  const stated = (text: string): string | undefined => statementIn('', text)?.value;
  return {
    beliefs,
    answer: stated(played.answer),
    candidates: played.candidates.map(({ response }) => stated(response)),
  };
}
