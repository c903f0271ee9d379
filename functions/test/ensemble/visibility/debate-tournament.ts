import { readPrompt, tokensIn } from '../../support/read-prompt';
import type { HeardCall } from '../../support/token-models';
import { UMPIRE } from '../../support/token-models';
import {
  analysisOf,
  closing,
  type ExpectedWave,
  eachRound,
  others,
  prose,
  type Scene,
  Script,
  type StrategyProof,
  token,
} from './scene';

/**
 * Odd entries are the proposition, even ones the opposition; one alone holds a seat on either side.
 *
 * | step | who | sees |
 * |---|---|---|
 * | 1a | proposition | the conversation |
 * | 1b | opposition | all openings of the proposition |
 * | k = 2…r | all | own last statement, marked; everybody else's last statement |
 * | V × 2 | arbiter | all last statements, once in each order; both at once |
 * | F | arbiter | all last statements and both verdicts |
 *
 * With one side only there is nothing to answer and nothing to judge in two orders.
 */
export const debateTournament: StrategyProof = {
  strategy: 'debate_tournament',
  speakers: (members) => (members.length === 1 ? members.flatMap((who) => [who, `${who}2`]) : members),
  waves: (scene) => {
    const script = new Script(scene);
    const { proposition, opposition } = sidesOf(scene.members);
    const openings = script.present(proposition).flatMap((who) => script.last(who, 1));
    const present = script.present([...proposition, ...opposition]);
    const statements = present.flatMap((who) => script.last(who, scene.rounds));
    const opened: ExpectedWave[] = [
      { round: 1, calls: proposition.map((who) => ({ who, does: 'draft' })) },
      { round: 1, calls: opposition.map((who) => ({ who, does: 'draft', sees: openings })) },
    ];
    if (script.present(opposition).length === 0) return [...opened, ...closing(scene, openings)];
    return [
      ...opened,
      ...eachRound(scene, 2, (round) =>
        present
          .filter((who) => script.isAsked(who, round))
          .map((who) => ({
            who,
            does: 'revise',
            own: script.last(who, round - 1),
            sees: others(present, who).flatMap((other) => script.last(other, round - 1)),
          })),
      ),
      ...judged(statements),
    ];
  },
  speak: (heard, scene) => {
    if (heard.does === 'analyse') return verdictOf(heard, scene);
    return heard.does === 'revise' ? `${prose(heard, scene)}\nSTANCE: holds` : undefined;
  },
};

/** Who speaks for which side. */
export function sidesOf(members: readonly string[]): { proposition: string[]; opposition: string[] } {
  const [only] = members;
  if (members.length === 1 && only) return { proposition: [only], opposition: [`${only}2`] };
  return {
    proposition: members.filter((_, index) => index % 2 === 0),
    opposition: members.filter((_, index) => index % 2 === 1),
  };
}

function judged(statements: readonly string[]): ExpectedWave[] {
  const VERDICTS = ['first', 'second'].flatMap((order) => [
    `umpire.analyse.0.${order}`,
    `umpire.analyse.0.${order}.point`,
  ]);
  return [
    {
      round: 0,
      calls: [
        { who: UMPIRE, does: 'analyse', sees: statements },
        { who: UMPIRE, does: 'analyse', sees: statements },
      ],
    },
    { round: 0, calls: [{ who: UMPIRE, does: 'answer', sees: [...statements, ...VERDICTS] }] },
  ];
}

/** The proposition wins in either order. One side alone is compared as in any other strategy. */
function verdictOf(heard: HeardCall, { members }: Scene): string {
  const authors = readPrompt(heard.call.prompt).fenced.map(({ text }) => tokensIn(text)[0]?.split('.')[0] ?? '');
  const [first, ...others] = authors.map((author) => sidesOf(members).proposition.includes(author));
  if (others.every((side) => side === first)) return analysisOf(heard);
  const order = first ? 'first' : 'second';
  return JSON.stringify({
    winner: first ? 'A' : 'B',
    rationale: `Because of ${token(heard, order)}`,
    dissent: [`It turns on ${token(heard, `${order}.point`)}`],
  });
}
