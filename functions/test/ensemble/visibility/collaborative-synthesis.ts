import { closing, ExpectedTexts, eachRound, prose, type StrategyProof } from './setup';

/**
 * | step | who | sees |
 * |---|---|---|
 * | 1 | n participants | the conversation |
 * | k = 2…r | each | all last contributions, its own among them and unmarked |
 * | V?, F | arbiter | all last contributions |
 */
export const collaborativeSynthesis: StrategyProof = {
  strategy: 'collaborative_synthesis',
  waves: (setup) => {
    const texts = new ExpectedTexts(setup);
    const present = texts.present(setup.members);
    const pool = (round: number) => present.flatMap((who) => texts.last(who, round));
    return [
      { round: 1, calls: setup.members.map((who) => ({ who, does: 'draft' })) },
      ...eachRound(setup, 2, (round) =>
        texts.asked(present, round).map((who) => ({ who, does: 'revise', sees: pool(round - 1) })),
      ),
      ...closing(setup, pool(setup.rounds)),
    ];
  },
  speak: (heard) => (heard.does === 'revise' ? `${prose(heard)}\nREVISION: changed` : undefined),
};
