import type { ProviderCall } from '../../src/models/model';
import { askedOf, playRun, requestId, shownTo } from '../support/played-run';
import { failing, type Script } from '../support/scripted-models';

/** A debate has one motion, and a side that gives in has nothing more to be judged. */

const PANEL = ['ash', 'birch', 'cedar', 'dogwood'];
const OPINION: Readonly<Record<string, string>> = { ash: 'YES', birch: 'NO', cedar: 'PERHAPS', dogwood: 'NO' };

/** Those on a side take up what it has opened with; left alone, everybody says what they think. */
const debaters =
  (stances: Readonly<Record<string, string>> = {}): Script =>
  (call) => {
    const { providerModel: who, purpose } = call;
    if (purpose === 'analyse') return { text: '{"winner": "A", "rationale": "So it is."}' };
    if (purpose === 'answer') return { text: 'It is so.' };
    if (purpose === 'revise') return { text: `${OPINION[who]} still\nSTANCE: ${stances[who] ?? 'holds'}` };
    const [motion] = shownTo(call);
    return { text: motion && /second that answer/.test(askedOf(call)) ? `${motion.text} indeed` : `${OPINION[who]}` };
  };

const play = (script: Script, rounds: number) =>
  playRun({ id: requestId('motion'), strategy: 'debate_tournament', models: PANEL, rounds, script });

function draftsIn(calls: readonly ProviderCall[]): string[] {
  const drafts = calls.filter(({ purpose }) => purpose === 'draft');
  return drafts.map((call) => `${call.providerModel} sees ${shownTo(call).map(({ text }) => text)}`);
}

describe('debate_tournament', () => {
  it('regression: the proposition is for one motion, that of its first speaker', async () => {
    const { calls, candidates } = await play(debaters(), 1);
    expect(draftsIn(calls)).toEqual(['ash sees ', 'cedar sees YES', 'birch sees YES', 'dogwood sees YES']);
    expect(candidates.map(({ response }) => response)).toEqual(['YES', 'NO', 'YES indeed', 'NO']);
  });

  it('the next speaker opens when the first fails', async () => {
    const script: Script = (call) => (call.providerModel === 'ash' ? failing('server') : debaters()(call));
    const { calls } = await play(script, 1);
    const drafts = draftsIn(calls.filter(({ providerModel }) => providerModel !== 'ash'));
    expect(drafts).toEqual(['cedar sees ', 'birch sees PERHAPS', 'dogwood sees PERHAPS']);
  });

  it.each([
    { side: 'proposition', other: 'opposition', gives: ['ash', 'cedar'] },
    { side: 'opposition', other: 'proposition', gives: ['birch', 'dogwood'] },
  ])('regression: the $side concedes, also in the last round: both verdict calls are saved', async (row) => {
    const stances = Object.fromEntries(row.gives.map((who) => [who, 'concedes']));
    const { calls, explanation, degraded } = await play(debaters(stances), 2);
    expect(calls.filter(({ purpose }) => purpose === 'analyse')).toEqual([]);
    expect(explanation).toMatch(new RegExp(`^The ${row.other} wins: the ${row.side} concedes\\.`));
    const answer = calls.filter(({ purpose }) => purpose === 'answer').map(askedOf);
    expect(answer.join()).toContain(`The ${row.side} has conceded that the ${row.other} is right`);
    expect(degraded).toEqual([]);
  });
});
