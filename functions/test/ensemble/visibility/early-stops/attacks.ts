import { readPrompt } from '../read-prompt';
import { redTeamBlueTeam } from '../red-team-blue-team';
import { token } from '../setup';
import type { HeardCall } from '../wave-models';
import { stopsOf } from './stop-row';

/** Findings of one attacker, each of the answer of somebody. */
const attack = (severity: string, of: readonly string[]) => (heard: HeardCall) => {
  if (heard.does !== 'attack') return undefined;
  const { fenced } = readPrompt(heard.call.prompt);
  const findings = of.map((author) => ({
    target: fenced.find(({ text }) => text.includes(`~${author}.`))?.title,
    severity,
    why: token(heard, author),
  }));
  return JSON.stringify({ findings });
};

export const RED_BLUE_STOPS = stopsOf(redTeamBlueTeam, 2, [
  {
    rule: 'only minor findings: it ends after the attack, and the arbiter has them',
    n: 4,
    rounds: 3,
    ends: attack('minor', ['ash', 'cedar']),
    waves: [2, 2, 1],
    sees: 'ash.draft.0 birch.attack.1.ash birch.attack.1.cedar cedar.draft.0 dogwood.attack.1.ash dogwood.attack.1.cedar',
  },
  {
    rule: 'no findings: it ends after the attack',
    n: 4,
    rounds: 3,
    ends: attack('major', []),
    waves: [2, 2, 1],
    sees: 'ash.draft.0 cedar.draft.0',
  },
  {
    rule: 'one of two attackers has one major finding: it goes on, and only that answer is defended',
    n: 4,
    rounds: 2,
    ends: (heard) => attack('major', heard.who === 'birch' ? ['cedar'] : [])(heard),
    waves: [2, 2, 1, 2, 1, 1],
    sees: 'ash.draft.0 birch.attack.2.cedar cedar.revise.2 cedar.revise.2.said',
  },
  {
    rule: 'the weight of the findings does not fall twice: it ends after the third attack',
    rounds: 6,
    ends: attack('major', ['ash']),
    waves: [1, 1, 1, 1, 1, 1, 1],
    sees: 'ash.revise.2 birch.attack.3.ash',
  },
  {
    rule: 'it fell once in between: it goes on',
    rounds: 3,
    ends: (heard) => attack(heard.round === 2 ? 'major' : 'critical', ['ash'])(heard),
    waves: [1, 1, 1, 1, 1, 1, 1, 1],
    sees: 'ash.revise.3 ash.revise.3.said birch.attack.3.ash',
  },
  {
    rule: 'regression: one of two attackers is silent, and the other finds little: it goes on',
    n: 4,
    rounds: 3,
    ends: attack('minor', ['cedar']),
    silent: ['birch.1'],
    waves: [2, 2, 1, 2, 1],
    sees: 'ash.draft.0 birch.attack.2.cedar cedar.revise.1 dogwood.attack.2.cedar',
  },
  {
    rule: 'a refusal is no finding: it ends',
    rounds: 3,
    ends: (heard) => (heard.does === 'attack' ? `I'm sorry, but I can't help with that. ${token(heard)}` : undefined),
    waves: [1, 1, 1],
    sees: 'ash.draft.0',
  },
]);
