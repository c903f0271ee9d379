import { OWN_TITLE, readPrompt } from '../../support/read-prompt';
import { analysisOf, closing, eachRound, others, prose, Script, type StrategyProof } from './scene';

/**
 * | step | who | sees |
 * |---|---|---|
 * | 1 | n participants | the conversation |
 * | k = 2…r | each | own last draft, marked; the others' last drafts |
 * | V?, F | arbiter | last drafts, the first one where it changed |
 */
export const competitiveRefinement: StrategyProof = {
  strategy: 'competitive_refinement',
  waves: (scene) => {
    const script = new Script(scene);
    const present = script.present(scene.members);
    return [
      { round: 1, calls: scene.members.map((who) => ({ who, does: 'draft' })) },
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
      ...closing(
        scene,
        present.flatMap((who) => [...new Set([...script.last(who, 1), ...script.last(who, scene.rounds)])]),
      ),
    ];
  },
  speak: (heard, scene) => {
    if (heard.does === 'analyse') return analysisOf(heard);
    if (heard.does !== 'revise') return undefined;
    const labels = readPrompt(heard.call.prompt).fenced.flatMap(({ title }) => (title === OWN_TITLE ? [] : [title]));
    return `${prose(heard, scene)}\nREVISION: changed; BALLOT: ${labels.join(' > ')}`;
  },
};
