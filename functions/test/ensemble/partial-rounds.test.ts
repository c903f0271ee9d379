import type { CallPurpose } from '../../src/models/model';
import { type App, startApp } from '../support/app';
import { failing, PLAIN, type Script } from '../support/scripted-models';

describe('rounds in which not everything goes as planned', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
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
    const one = { title: 'one', task: 'Do one.' };
    const two = { title: 'two', task: 'Do two.' };
    const fault = { item: 'plan', severity: 'major', defect: 'Two is not needed.' };
    const parts: Partial<Record<CallPurpose, () => object>> = {
      plan: () => {
        plans += 1;
        return { items: plans === 1 ? [one, two] : [one] };
      },
      review: () => (plans === 1 ? { verdict: 'revise', defects: [fault] } : { verdict: 'approve', defects: [] }),
    };
    const script: Script = (call) => {
      const part = parts[call.purpose];
      return part ? { text: JSON.stringify(part()) } : PLAIN(call);
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
