import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import { askedOf, playRun } from '../support/played-run';
import type { Script } from '../support/scripted-models';
import { SPOKEN } from '../support/spoken-models';

/** Lenses, plans, comparisons and follow-ups, which people read, are asked for in their language; headings follow. */

/** Questions, a heading of every explanation with a comparison, and one of every explanation that something is noted in. */
const MESSAGES = [
  ['German', 'Wie lange darf man gekochten Reis aufbewahren?', 'Fehlend oder falsch', 'Dieser Lauf'],
  ['Arabic', 'هل الطماطم فاكهة أم خضار؟', 'ناقص أو خاطئ', 'هذا التشغيل'],
  ['Japanese', 'トマトは果物ですか、それとも野菜ですか？', '不足または誤り', '今回の実行'],
  ['English', 'How long may cooked rice be kept in the fridge?', 'Missing or wrong', 'This run'],
  ['too short to tell', 'Wieso?', 'Missing or wrong', 'This run'],
] as const;
/** Purposes of calls for JSON whose texts people read. */
const READ_BY_PEOPLE: ReadonlySet<string> = new Set(['cast', 'plan', 'review', 'attack', 'analyse', 'follow_ups']);

describe.each(STRATEGY_NAMES)('%s', (strategy) => {
  it.each(MESSAGES)(
    '%s: every prompt for JSON asks for it, and headings follow',
    async (_, message, missing, thisRun) => {
      const asked: string[] = [];
      const script: Script = (call) => {
        if (READ_BY_PEOPLE.has(call.purpose)) asked.push(askedOf(call));
        return SPOKEN(call);
      };
      const models = ['alpha', 'beta', 'gamma', 'delta'];
      const fields = { degraded: ['Nothing was searched'] };
      const { explanation } = await playRun({
        id: 'run',
        strategy,
        models,
        rounds: 1,
        script,
        message,
        followUps: true,
        fields,
      });
      expect(asked.length).toBeGreaterThan(1);
      for (const words of asked) expect(words).toMatch(/in the (?:language of the user's message|user's language)/);
      const headings = explanation.match(/^[^-\s].*(?=:$)/gm) ?? [];
      expect(headings).toEqual(expect.arrayContaining([missing, thisRun]));
      expect(headings.filter((heading) => /[a-z]/i.test(heading))).toEqual(/[a-z]/i.test(message) ? headings : []);
    },
  );
});
