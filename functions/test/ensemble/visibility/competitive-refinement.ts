import { OWN_TITLE, readPrompt } from './read-prompt';
import { closing, ExpectedTexts, eachRound, others, prose, type StrategyProof, token } from './setup';

/**
 * | step | who | sees |
 * |---|---|---|
 * | 1 | n participants | the conversation |
 * | k = 2…r | each | own last draft, marked; the others' last drafts |
 * | V?, F | arbiter | last drafts, and the error for which each was changed last |
 */
export const competitiveRefinement: StrategyProof = {
  strategy: 'competitive_refinement',
  waves: (setup) => {
    const texts = new ExpectedTexts(setup);
    const present = texts.present(setup.members);
    return [
      { round: 1, calls: setup.members.map((who) => ({ who, does: 'draft' })) },
      ...eachRound(setup, 2, (round) =>
        texts.asked(present, round).map((who) => ({
          who,
          does: 'revise',
          own: texts.last(who, round - 1),
          sees: others(present, who).flatMap((other) => texts.last(other, round - 1)),
        })),
      ),
      ...closing(
        setup,
        present.flatMap((who) => {
          const last = texts.last(who, setup.rounds);
          const isChanged = setup.formal && last.some((text) => text.includes('.revise.'));
          return [...last, ...(isChanged ? last.map((text) => `${text}.why`) : [])];
        }),
      ),
    ];
  },
  speak: (heard) => {
    if (heard.does !== 'revise') return undefined;
    const labels = readPrompt(heard.call.prompt).fenced.flatMap(({ title }) => (title === OWN_TITLE ? [] : [title]));
    return `REVISION: changed (${token(heard, 'why')}); BALLOT: ${labels.join(' > ')}\n\n${prose(heard)}`;
  },
};
