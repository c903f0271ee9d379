import {
  closing,
  ExpectedTexts,
  eachRound,
  others,
  prose,
  type Setup,
  type StrategyProof,
  selfOf,
  token,
} from './setup';
import type { HeardCall } from './wave-models';
import { UMPIRE } from './wave-models';

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
  waves: (setup) => {
    const texts = new ExpectedTexts(setup);
    const present = texts.present(setup.members);
    const lens = lensesOf(setup);
    return [
      { round: 0, calls: [{ who: UMPIRE, does: 'cast' }] },
      {
        round: 1,
        calls: setup.members.map((who) => ({ who, does: 'draft', sees: [...lens.name(who), ...lens.focus(who)] })),
      },
      ...eachRound(setup, 2, (round) =>
        texts.asked(present, round).map((who) => ({
          who,
          does: 'revise',
          own: texts.last(who, round - 1),
          sees: [
            ...lens.name(who),
            ...lens.focus(who),
            ...others(present, who).flatMap((other) => [...lens.name(other), ...texts.last(other, round - 1)]),
          ],
        })),
      ),
      ...closing(
        setup,
        present.flatMap((who) => [...lens.name(who), ...texts.last(who, setup.rounds)]),
      ),
    ];
  },
  speak: (heard, setup) => {
    if (heard.does === 'cast') return castingOf(heard, setup);
    return heard.does === 'revise' ? `${prose(heard)}\nDISSENT: new` : undefined;
  },
};

function lensesOf({ members, formal }: Setup) {
  const part = (name: string) => (who: string) => (formal ? [`umpire.cast.0.${name}${members.indexOf(who)}`] : []);
  return { name: part('name'), focus: part('focus') };
}

/** One point of view for each seat, in order; the first one is named after a model. */
function castingOf(heard: HeardCall, { members }: Setup): string {
  const lenses = members.map((who, index) => ({
    name: `${token(heard, `name${index}`)}, ${selfOf(who)}`,
    focus: `Look at ${token(heard, `focus${index}`)}`,
  }));
  return JSON.stringify({ lenses });
}
