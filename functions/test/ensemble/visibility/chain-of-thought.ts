import {
  closing,
  ExpectedTexts,
  eachRound,
  prose,
  type Setup,
  type StrategyProof,
  selfOf,
  type Turn,
  token,
} from './setup';

/**
 * | step | who | sees |
 * |---|---|---|
 * | 1 | n participants | the conversation |
 * | k = 2…r | participant i | own last chain, marked; the last chain of (i + k − 1) mod n, unless that is its own |
 * | V?, F | arbiter | the last chains, each under its final answer, with what its last checker found |
 *
 * Each chain has its steps and a final answer, which stays the same here; so the last check stays true of it. A reader
 * is not shown what was found in a chain, neither its own nor the one it checks. Plain prose has no final answer.
 */
export const chainOfThought: StrategyProof = {
  strategy: 'chain_of_thought',
  waves: (setup) => {
    const texts = new ExpectedTexts(setup);
    const present = texts.present(setup.members);
    const chain = (who: string, round: number) => [...texts.last(who, round), ...answerTokens(setup, who)];
    return [
      { round: 1, calls: setup.members.map((who) => ({ who, does: 'draft' })) },
      ...eachRound(setup, 2, (round) =>
        texts.asked(present, round).map((who) => {
          const peer = peerOf(setup, { who, round });
          const own = chain(who, round - 1);
          return { who, does: 'revise', own, ...(peer !== who && { sees: chain(peer, round - 1) }) };
        }),
      ),
      ...closing(setup, [
        ...present.flatMap((who) => chain(who, setup.rounds)),
        // Once more over each group: nobody shares an answer.
        ...present.flatMap((who) => answerTokens(setup, who)),
        ...present.flatMap((who) => lastCheckOf(setup, who)),
      ]),
    ];
  },
  speak: (heard) => {
    if (heard.does === 'draft') return `${prose(heard)}\nANSWER: ${answerOf(heard.who)}`;
    if (heard.does !== 'revise') return undefined;
    const check = `CHECK: step 2: ${token(heard, 'check')}, ${selfOf(heard.who)}`;
    return `${prose(heard)}\n${check}\nANSWER: ${answerOf(heard.who)}`;
  },
};

function answerOf(who: string): string {
  return `~${who}.final~, ${selfOf(who)}`;
}

function answerTokens({ formal }: Setup, who: string): string[] {
  return formal ? [`${who}.final`] : [];
}

/** Author of the chain that is checked; one that never answered is passed over. */
function peerOf(setup: Setup, { who, round }: Turn): string {
  const { members } = setup;
  const present = new ExpectedTexts(setup).present(members);
  let place = members.indexOf(who) + round - 1;
  while (!present.includes(members[place % members.length] ?? '')) place += 1;
  return members[place % members.length] ?? who;
}

function lastCheckOf(setup: Setup, checked: string): string[] {
  if (!setup.formal) return [];
  const texts = new ExpectedTexts(setup);
  for (let round = setup.rounds; round > 1; round -= 1) {
    const checker = texts
      .present(setup.members)
      .filter((who) => texts.speaks(who, round))
      .findLast((who) => peerOf(setup, { who, round }) === checked);
    if (checker !== undefined) return [`${checker}.revise.${round}.check`];
  }
  return [];
}
