import { readPrompt } from '../../../support/read-prompt';
import type { HeardCall } from '../../../support/token-models';
import { redTeamBlueTeam } from '../red-team-blue-team';
import { token } from '../scene';
import type { StopRow } from './stop-row';

/** Findings of one attacker, each of the answer of somebody. */
const attack = (severity: string, of: readonly string[]) => (heard: HeardCall) => {
  const { fenced } = readPrompt(heard.call.prompt);
  const findings = of.map((author) => ({
    target: fenced.find(({ text }) => text.includes(`~${author}.`))?.title,
    severity,
    why: token(heard, author),
  }));
  return JSON.stringify({ findings });
};

export const RED_BLUE_STOPS: readonly StopRow[] = [
  {
    rule: 'only minor findings: it ends after the attack, and the arbiter has them',
    proof: redTeamBlueTeam,
    n: 4,
    rounds: 3,
    ends: (heard) => (heard.does === 'attack' ? attack('minor', ['ash', 'cedar'])(heard) : undefined),
    waves: [2, 2, 1],
    sees: 'ash.draft.0 birch.attack.1.ash birch.attack.1.cedar cedar.draft.0 dogwood.attack.1.ash dogwood.attack.1.cedar',
  },
  {
    rule: 'no findings: it ends after the attack',
    proof: redTeamBlueTeam,
    n: 4,
    rounds: 3,
    ends: (heard) => (heard.does === 'attack' ? attack('major', [])(heard) : undefined),
    waves: [2, 2, 1],
    sees: 'ash.draft.0 cedar.draft.0',
  },
  {
    rule: 'one of two attackers has one major finding: it goes on, and only that answer is defended',
    proof: redTeamBlueTeam,
    n: 4,
    rounds: 2,
    ends: (heard) =>
      heard.does === 'attack' ? attack('major', heard.who === 'birch' ? ['cedar'] : [])(heard) : undefined,
    waves: [2, 2, 1, 2, 1, 1],
    sees: 'ash.draft.0 birch.attack.2.cedar cedar.revise.2 cedar.revise.2.said',
  },
  {
    rule: 'the weight of the findings does not fall twice: it ends after the third attack',
    proof: redTeamBlueTeam,
    n: 2,
    rounds: 6,
    ends: (heard) => (heard.does === 'attack' ? attack('major', ['ash'])(heard) : undefined),
    waves: [1, 1, 1, 1, 1, 1, 1],
    sees: 'ash.revise.2 birch.attack.3.ash',
  },
  {
    rule: 'it fell once in between: it goes on',
    proof: redTeamBlueTeam,
    n: 2,
    rounds: 3,
    ends: (heard) =>
      heard.does === 'attack' ? attack(heard.round === 2 ? 'major' : 'critical', ['ash'])(heard) : undefined,
    waves: [1, 1, 1, 1, 1, 1, 1, 1],
    sees: 'ash.revise.3 ash.revise.3.said birch.attack.3.ash',
  },
  {
    rule: 'a refusal is no finding: it ends',
    proof: redTeamBlueTeam,
    n: 2,
    rounds: 3,
    ends: (heard) => (heard.does === 'attack' ? `I'm sorry, but I can't help with that. ${token(heard)}` : undefined),
    waves: [1, 1, 1],
    sees: 'ash.draft.0',
  },
];
