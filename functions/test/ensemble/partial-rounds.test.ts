import type { Script } from '../../src/providers/scripted';
import { failing, PLAIN } from '../support/recorded-models';
import { type SpecApp, startSpecApp } from '../support/spec-app';

describe('rounds in which not everything goes as planned', () => {
  let app: SpecApp;
  beforeAll(async () => {
    app = await startSpecApp();
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  it('regression: a red team of which one member is silent has not found the answers sound', async () => {
    const script: Script = (call) => {
      if (call.purpose !== 'attack') return PLAIN(call);
      const firstRound = app.models.calls.filter(({ purpose }) => purpose === 'attack').length <= 2;
      return call.providerModel === 'red-2' && firstRound ? failing('not_found') : { text: '{"findings": []}' };
    };
    app.models.play(script);
    const models = ['blue-1', 'red-1', 'blue-2', 'red-2'];
    const { calls } = await app.complete({ ai_ensemble: { strategy: 'red_team_blue_team', models, rounds: 3 } });
    const attackers = calls.filter(({ purpose }) => purpose === 'attack').map(({ providerModel }) => providerModel);
    // The second round is complete and finds nothing: there is no third.
    expect(attackers).toEqual(['red-1', 'red-2', 'red-1', 'red-2']);
  });

  it('regression: a corrected plan with fewer items leaves no part of the old one in the answer', async () => {
    let plans = 0;
    const script: Script = (call) => {
      if (call.purpose === 'plan') {
        plans += 1;
        const items = [{ title: 'one', task: 'Do one.' }, ...(plans === 1 ? [{ title: 'two', task: 'Do two.' }] : [])];
        return { text: JSON.stringify({ items }) };
      }
      if (call.purpose === 'review') {
        const defects = plans === 1 ? [{ item: 'plan', severity: 'major', defect: 'Two is not needed.' }] : [];
        return { text: JSON.stringify({ verdict: plans === 1 ? 'revise' : 'approve', defects }) };
      }
      return call.purpose === 'draft' || call.purpose === 'revise'
        ? { text: `The part of ${call.providerModel}.` }
        : PLAIN(call);
    };
    app.models.play(script);
    // Three implementers and two items: the third's call is what pays for the correction.
    const models = ['ash', 'birch', 'cedar', 'dogwood', 'elm'];
    const ai_ensemble = { strategy: 'hierarchical', models, rounds: 2, includeCandidates: true };
    const { body, calls } = await app.complete({ ai_ensemble });
    expect(plans).toBe(2);
    expect(body.choices[0].candidates?.map(({ modelId }) => modelId)).toEqual(['birch']);
    const answer = calls.find(({ purpose }) => purpose === 'answer')?.prompt.turns.at(-1)?.text;
    expect(answer).toContain('part 1');
    expect(answer).not.toContain('part 2');
  });
});
