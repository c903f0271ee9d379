import {
  analysisOf,
  closing,
  eachRound,
  modelIdOf,
  prose,
  type Scene,
  Script,
  type StrategyProof,
  token,
} from './scene';

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
  waves: (scene) => {
    const script = new Script(scene);
    const present = script.present(scene.members);
    const chain = (who: string, round: number) => [...script.last(who, round), ...answerTokens(scene, who)];
    return [
      { round: 1, calls: scene.members.map((who) => ({ who, does: 'draft' })) },
      ...eachRound(scene, 2, (round) =>
        present
          .filter((who) => script.isAsked(who, round))
          .map((who) => {
            const peer = peerOf(scene, { who, round });
            const own = chain(who, round - 1);
            return { who, does: 'revise', own, ...(peer !== who && { sees: chain(peer, round - 1) }) };
          }),
      ),
      ...closing(scene, [
        ...present.flatMap((who) => chain(who, scene.rounds)),
        // Once more over each group: nobody shares an answer.
        ...present.flatMap((who) => answerTokens(scene, who)),
        ...present.flatMap((who) => lastCheckOf(scene, who)),
      ]),
    ];
  },
  speak: (heard, scene) => {
    if (heard.does === 'analyse') return analysisOf(heard);
    if (heard.does === 'draft') return `${prose(heard, scene)}\nANSWER: ${answerOf(heard.who)}`;
    if (heard.does !== 'revise') return undefined;
    const check = `CHECK: step 2: ${token(heard, 'check')}, says ${modelIdOf(heard.who)}`;
    return `${prose(heard, scene)}\n${check}\nANSWER: ${answerOf(heard.who)}`;
  },
};

interface Turn {
  readonly who: string;
  readonly round: number;
}

function answerOf(who: string): string {
  return `~${who}.final~ of ${modelIdOf(who)}`;
}

function answerTokens({ formal }: Scene, who: string): string[] {
  return formal ? [`${who}.final`] : [];
}

/** Whose chain is checked; one that never answered is passed over. */
function peerOf(scene: Scene, { who, round }: Turn): string {
  const { members } = scene;
  const present = new Script(scene).present(members);
  let place = members.indexOf(who) + round - 1;
  while (!present.includes(members[place % members.length] ?? '')) place += 1;
  return members[place % members.length] ?? who;
}

function lastCheckOf(scene: Scene, checked: string): string[] {
  if (!scene.formal) return [];
  const script = new Script(scene);
  for (let round = scene.rounds; round > 1; round -= 1) {
    const checker = script
      .present(scene.members)
      .filter((who) => script.speaks(who, round))
      .findLast((who) => peerOf(scene, { who, round }) === checked);
    if (checker !== undefined) return [`${checker}.revise.${round}.check`];
  }
  return [];
}
