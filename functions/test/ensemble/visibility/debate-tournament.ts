import { readPrompt, tokensIn } from './read-prompt';
import {
  closing,
  ExpectedTexts,
  type ExpectedWave,
  eachRound,
  others,
  prose,
  type Setup,
  type StrategyProof,
  token,
} from './setup';
import type { HeardCall } from './wave-models';
import { UMPIRE } from './wave-models';

/**
 * Odd entries are the proposition, even ones the opposition; one alone holds a seat on either side.
 *
 * | step | who | sees |
 * |---|---|---|
 * | 1a | first of the proposition, else the next | the conversation |
 * | 1b | all others | that opening, the motion |
 * | k = 2…r | all | own last statement, marked; everybody else's last statement |
 * | V × 2 | arbiter | all last statements, once in each order; both at once |
 * | F | arbiter | all last statements and both verdicts |
 *
 * With one side only there is nothing to answer and nothing to judge in two orders.
 */
export const debateTournament: StrategyProof = {
  strategy: 'debate_tournament',
  speakers: (members) => (members.length === 1 ? members.flatMap((who) => [who, `${who}2`]) : members),
  waves: (setup) => {
    const texts = new ExpectedTexts(setup);
    const { proposition, opposition } = sidesOf(setup.members);
    const openings = texts.present(proposition).flatMap((who) => texts.last(who, 1));
    const [opener = ''] = texts.present(proposition);
    const tried = proposition.slice(0, proposition.indexOf(opener) + 1);
    const onTheMotion = [...proposition.slice(tried.length), ...opposition];
    const present = texts.present([...proposition, ...opposition]);
    const statements = present.flatMap((who) => texts.last(who, setup.rounds));
    const opened: ExpectedWave[] = [
      ...tried.map((who): ExpectedWave => ({ round: 1, calls: [{ who, does: 'draft' }] })),
      { round: 1, calls: onTheMotion.map((who) => ({ who, does: 'draft', sees: texts.last(opener, 1) })) },
    ];
    if (texts.present(opposition).length === 0) return [...opened, ...closing(setup, openings)];
    return [
      ...opened,
      ...eachRound(setup, 2, (round) =>
        texts.asked(present, round).map((who) => ({
          who,
          does: 'revise',
          own: texts.last(who, round - 1),
          sees: others(present, who).flatMap((other) => texts.last(other, round - 1)),
        })),
      ),
      ...judged(statements),
    ];
  },
  speak: (heard, setup) => {
    if (heard.does === 'analyse') return verdictOf(heard, setup);
    return heard.does === 'revise' ? `${prose(heard)}\nSTANCE: holds` : undefined;
  },
};

/** Speakers of each side. */
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
function verdictOf(heard: HeardCall, { members }: Setup): string | undefined {
  const authors = readPrompt(heard.call.prompt).fenced.map(({ text }) => tokensIn(text)[0]?.split('.')[0] ?? '');
  const [first, ...others] = authors.map((author) => sidesOf(members).proposition.includes(author));
  if (others.every((side) => side === first)) return undefined;
  const order = first ? 'first' : 'second';
  return JSON.stringify({
    winner: first ? 'A' : 'B',
    rationale: `Because of ${token(heard, order)}`,
    dissent: [`It turns on ${token(heard, `${order}.point`)}`],
  });
}
