import { readPrompt, tokensIn } from './read-prompt';
import {
  closing,
  ExpectedTexts,
  type ExpectedWave,
  prose,
  type Setup,
  type StrategyProof,
  selfOf,
  type Turn,
  token,
} from './setup';
import type { HeardCall } from './wave-models';

/**
 * Odd entries are blue, even ones red; one alone is both.
 *
 * | step | who | sees |
 * |---|---|---|
 * | 0 | blue | the conversation |
 * | k, attack | red | the current answers of blue; nothing that was found before |
 * | k, defence | each blue | own answer, marked; what was found in it in this round |
 * | V?, F | arbiter | the last answers, what was found in the last round, what was said to that |
 *
 * Plain prose is one finding about every answer. Severities rise and fall, so that nobody stops for standing still.
 */
export const redTeamBlueTeam: StrategyProof = {
  strategy: 'red_team_blue_team',
  waves: (setup) => {
    const texts = new ExpectedTexts(setup, 0);
    const { blue, red } = teamsOf(setup.members);
    const present = texts.present(blue);
    const versions = (round: number) => present.flatMap((who) => texts.last(who, round));
    const waves: ExpectedWave[] = [{ round: 0, calls: blue.map((who) => ({ who, does: 'draft' })) }];
    for (let round = 1; round <= setup.rounds; round += 1) {
      const attackers = texts.asked(red, round);
      const attack = attackers.map((who) => ({ who, does: 'attack', sees: versions(round - 1) }) as const);
      const defenders = texts.asked(present, round).filter((who) => found(setup, { who, round }).length > 0);
      const defence = defenders.map((who) => {
        const own = texts.last(who, round - 1);
        return { who, does: 'revise', own, sees: found(setup, { who, round }) } as const;
      });
      waves.push({ round, calls: attack }, { round, calls: defence });
    }
    const round = setup.rounds;
    const findings = present.flatMap((who) => found(setup, { who, round }));
    const said = present
      .filter((who) => setup.formal && texts.speaks(who, round))
      .map((who) => `${who}.revise.${round}.said`);
    return [...waves, ...closing(setup, [...versions(round), ...findings, ...said])];
  },
  speak: (heard) => {
    if (heard.does === 'attack') return attackOf(heard);
    if (heard.does !== 'revise') return undefined;
    return `FINDING 1: fixed ${token(heard, 'said')}, ${selfOf(heard.who)}\n\n${prose(heard)}`;
  },
};

/** Members that draft, and members that attack. */
function teamsOf(members: readonly string[]): { blue: string[]; red: string[] } {
  if (members.length === 1) return { blue: [...members], red: [...members] };
  return { blue: members.filter((_, index) => index % 2 === 0), red: members.filter((_, index) => index % 2 === 1) };
}

/** Findings in the answer of `who` in a round, by every red that spoke. */
function found(setup: Setup, { who, round }: Turn): string[] {
  const texts = new ExpectedTexts(setup, 0);
  const { red } = teamsOf(setup.members);
  const attackers = red.filter((attacker) => texts.speaks(attacker, round));
  if (!setup.formal) return attackers.map((attacker) => `${attacker}.attack.${round}`);
  return attackers.flatMap((attacker) => ['why', 'fix'].map((part) => `${attacker}.attack.${round}.${who}.${part}`));
}

/** One finding for each answer shown, under its label, whoever wrote it. */
function attackOf(heard: HeardCall): string {
  const findings = readPrompt(heard.call.prompt).fenced.map(({ title: target, text }) => {
    const [author = ''] = tokensIn(text).map((shown) => shown.split('.')[0] ?? '');
    return {
      target,
      severity: heard.round % 2 === 0 ? 'major' : 'critical',
      why: `${token(heard, `${author}.why`)}, ${selfOf(heard.who)}`,
      fix: `${token(heard, `${author}.fix`)}`,
    };
  });
  return JSON.stringify({ findings });
}
