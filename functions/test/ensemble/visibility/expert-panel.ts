import type { HeardCall } from '../../support/token-models';
import { UMPIRE } from '../../support/token-models';
import {
  analysisOf,
  closing,
  eachRound,
  modelIdOf,
  others,
  prose,
  type Scene,
  Script,
  type StrategyProof,
  token,
} from './scene';

/**
 * | step | who | sees |
 * |---|---|---|
 * | 0 | arbiter | the conversation; casts a point of view for each |
 * | 1 | n participants | its own point of view (name and focus) |
 * | k = 2…r | each | the same; own last opinion, marked; the others' last opinions under the names of their points of view |
 * | V?, F | arbiter | last opinions under the names of their points of view |
 *
 * Plain prose casts nobody: the standard points of view, which carry no token, are used.
 */
export const expertPanel: StrategyProof = {
  strategy: 'expert_panel',
  waves: (scene) => {
    const script = new Script(scene);
    const present = script.present(scene.members);
    const lens = lensesOf(scene);
    return [
      { round: 0, calls: [{ who: UMPIRE, does: 'cast' }] },
      {
        round: 1,
        calls: scene.members.map((who) => ({ who, does: 'draft', sees: [...lens.name(who), ...lens.focus(who)] })),
      },
      ...eachRound(scene, 2, (round) =>
        present
          .filter((who) => script.isAsked(who, round))
          .map((who) => ({
            who,
            does: 'revise',
            own: script.last(who, round - 1),
            sees: [
              ...lens.name(who),
              ...lens.focus(who),
              ...others(present, who).flatMap((other) => [...lens.name(other), ...script.last(other, round - 1)]),
            ],
          })),
      ),
      ...closing(
        scene,
        present.flatMap((who) => [...lens.name(who), ...script.last(who, scene.rounds)]),
      ),
    ];
  },
  speak: (heard, scene) => {
    if (heard.does === 'cast') return castingOf(heard, scene);
    if (heard.does === 'analyse') return analysisOf(heard);
    return heard.does === 'revise' ? `${prose(heard, scene)}\nDISSENT: new` : undefined;
  },
};

function lensesOf({ members, formal }: Scene) {
  const part = (name: string) => (who: string) => (formal ? [`umpire.cast.0.${name}${members.indexOf(who)}`] : []);
  return { name: part('name'), focus: part('focus') };
}

/** One point of view for each seat, in order; the first one is named after a model. */
function castingOf(heard: HeardCall, { members }: Scene): string {
  const lenses = members.map((who, index) => ({
    name: `${token(heard, `name${index}`)} of ${modelIdOf(who)}`,
    focus: `Look at ${token(heard, `focus${index}`)}`,
  }));
  return JSON.stringify({ lenses });
}
