import { readPrompt, tokensIn } from '../../support/read-prompt';
import type { HeardCall } from '../../support/token-models';
import {
  analysisOf,
  closing,
  type ExpectedWave,
  modelIdOf,
  prose,
  type Scene,
  Script,
  type StrategyProof,
  token,
} from './scene';

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
  waves: (scene) => {
    const script = new Script(scene, 0);
    const { blue, red } = teamsOf(scene.members);
    const present = script.present(blue);
    const versions = (round: number) => present.flatMap((who) => script.last(who, round));
    const waves: ExpectedWave[] = [{ round: 0, calls: blue.map((who) => ({ who, does: 'draft' })) }];
    for (let round = 1; round <= scene.rounds; round += 1) {
      const attackers = red.filter((who) => script.isAsked(who, round));
      const attack = attackers.map((who) => ({ who, does: 'attack', sees: versions(round - 1) }) as const);
      const defenders = present.filter((who) => script.isAsked(who, round) && found(scene, { who, round }).length > 0);
      const defence = defenders.map((who) => {
        const own = script.last(who, round - 1);
        return { who, does: 'revise', own, sees: found(scene, { who, round }) } as const;
      });
      waves.push({ round, calls: attack }, { round, calls: defence });
    }
    const round = scene.rounds;
    const findings = present.flatMap((who) => found(scene, { who, round }));
    const said = present
      .filter((who) => scene.formal && script.speaks(who, round))
      .map((who) => `${who}.revise.${round}.said`);
    return [...waves, ...closing(scene, [...versions(round), ...findings, ...said])];
  },
  speak: (heard, scene) => {
    if (heard.does === 'analyse') return analysisOf(heard);
    if (heard.does === 'attack') return attackOf(heard);
    if (heard.does !== 'revise') return undefined;
    return `${prose(heard, scene)}\nRESPONSES TO FINDINGS\n1. fixed ${token(heard, 'said')} of ${modelIdOf(heard.who)}`;
  },
};

interface Turn {
  readonly who: string;
  readonly round: number;
}

/** Who drafts, and who attacks. */
function teamsOf(members: readonly string[]): { blue: string[]; red: string[] } {
  if (members.length === 1) return { blue: [...members], red: [...members] };
  return { blue: members.filter((_, index) => index % 2 === 0), red: members.filter((_, index) => index % 2 === 1) };
}

/** What was found in the answer of `who` in a round, by every red that spoke. */
function found(scene: Scene, { who, round }: Turn): string[] {
  const script = new Script(scene, 0);
  const { red } = teamsOf(scene.members);
  const attackers = red.filter((attacker) => script.speaks(attacker, round));
  if (!scene.formal) return attackers.map((attacker) => `${attacker}.attack.${round}`);
  return attackers.flatMap((attacker) => ['why', 'fix'].map((part) => `${attacker}.attack.${round}.${who}.${part}`));
}

/** One finding for each answer shown, under its label, whoever wrote it. */
function attackOf(heard: HeardCall): string {
  const findings = readPrompt(heard.call.prompt).fenced.map(({ title: target, text }) => {
    const [author = ''] = tokensIn(text).map((shown) => shown.split('.')[0] ?? '');
    return {
      target,
      severity: heard.round % 2 === 0 ? 'major' : 'critical',
      why: `${token(heard, `${author}.why`)}, says ${modelIdOf(heard.who)}`,
      fix: `${token(heard, `${author}.fix`)}`,
    };
  });
  return JSON.stringify({ findings });
}
