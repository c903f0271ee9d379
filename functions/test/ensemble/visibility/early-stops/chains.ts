import { chainOfThought } from '../chain-of-thought';
import type { HeardCall } from '../wave-models';
import { stopsOf } from './stop-row';

type TextOf = (who: string) => string;
const ofItsOwn: TextOf = (who) => `~of.${who}~`;

/** A chain that ends in `answer` and found `check` in the one it read. */
const chain =
  (answer: TextOf, check: TextOf) =>
  ({ who, does }: HeardCall): string | undefined => {
    if (does === 'draft') return `ANSWER: ${answer(who)}`;
    return does === 'revise' ? `CHECK: ${check(who)}\nANSWER: ${answer(who)}` : undefined;
  };
const same: TextOf = () => '~it~';
const wrong: TextOf = () => 'step 1: no';
const verified: TextOf = () => 'verified';

export const CHAIN_STOPS = stopsOf(chainOfThought, 3, [
  {
    rule: 'all final answers are the same: it ends after round 2, not before',
    rounds: 4,
    ends: chain((who) => (who === 'ash' ? '~it~' : '**~it~**.'), wrong),
    waves: [3, 3, 1],
    sees: 'ash.revise.2 birch.revise.2 cedar.revise.2 it it it it',
  },
  {
    rule: 'one final answer is another: it goes on',
    rounds: 3,
    ends: chain((who) => (who === 'cedar' ? '~that~' : '~it~'), wrong),
    waves: [3, 3, 3, 1],
    sees: 'ash.revise.3 birch.revise.3 cedar.revise.3 it it it that that',
  },
  {
    rule: 'all chains are verified: it ends, whatever they say',
    rounds: 4,
    ends: chain(ofItsOwn, verified),
    waves: [3, 3, 1],
    sees: 'ash.revise.2 birch.revise.2 cedar.revise.2 of.ash of.ash of.birch of.birch of.cedar of.cedar',
  },
  {
    rule: 'one chain of three is not verified: it goes on',
    rounds: 3,
    ends: chain(ofItsOwn, (who) => (who === 'ash' ? 'step 1: no' : 'verified')),
    waves: [3, 3, 3, 1],
    sees: 'ash.revise.3 birch.revise.3 cedar.revise.3 of.ash of.ash of.birch of.birch of.cedar of.cedar',
  },
  {
    rule: 'one alone agrees with nobody: it goes on',
    n: 1,
    rounds: 3,
    ends: chain(same, wrong),
    waves: [1, 1, 1, 1],
    sees: 'ash.revise.3 it it',
  },
  {
    rule: 'two agree and the third, which never gave an answer, is no agreement: it goes on',
    rounds: 3,
    ends: (heard) => (heard.who === 'cedar' ? '' : chain(same, wrong)(heard)),
    waves: [3, 3, 3, 1],
    sees: 'ash.revise.3 birch.revise.3 cedar.revise.3 it it it',
  },
  {
    rule: 'all agree but one failed to check: it goes on',
    rounds: 3,
    ends: chain(same, verified),
    silent: ['birch.2'],
    waves: [3, 3, 3, 1],
    sees: 'ash.revise.3 birch.revise.3 cedar.revise.3 it it it it',
  },
  {
    rule: 'a chain that changed its answer is no longer the one that was checked: its check is not shown',
    n: 2,
    rounds: 2,
    ends: (heard) => {
      const answer = heard.who === 'ash' ? `~ash.at.${heard.round}~` : '~birch.at~';
      return chain(
        () => answer,
        (who) => `step 1: ~check.by.${who}~`,
      )(heard);
    },
    waves: [2, 2, 1],
    sees: 'ash.at.2 ash.at.2 ash.revise.2 birch.at birch.at birch.revise.2 check.by.ash',
  },
]);
