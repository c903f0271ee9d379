import { analysisOf, closing, eachRound, prose, Script, type StrategyProof } from './scene';

/**
 * | step | who | sees |
 * |---|---|---|
 * | 1 | n participants | the conversation |
 * | k = 2…r | each | all last contributions, its own among them and unmarked |
 * | V?, F | arbiter | all last contributions |
 */
export const collaborativeSynthesis: StrategyProof = {
  strategy: 'collaborative_synthesis',
  waves: (scene) => {
    const script = new Script(scene);
    const present = script.present(scene.members);
    const pool = (round: number) => present.flatMap((who) => script.last(who, round));
    return [
      { round: 1, calls: scene.members.map((who) => ({ who, does: 'draft' })) },
      ...eachRound(scene, 2, (round) =>
        present
          .filter((who) => script.isAsked(who, round))
          .map((who) => ({ who, does: 'revise', sees: pool(round - 1) })),
      ),
      ...closing(scene, pool(scene.rounds)),
    ];
  },
  speak: (heard, scene) => {
    if (heard.does === 'analyse') return analysisOf(heard);
    return heard.does === 'revise' ? `${prose(heard, scene)}\nREVISION: changed` : undefined;
  },
};
