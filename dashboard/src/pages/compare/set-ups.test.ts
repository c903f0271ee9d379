import { bodyOfSetUp, nextSetUp, setUpFlaw, setUpName, suggestedSetUps } from './set-ups';

const SUGGESTED = { prompts: [], participants: ['a', 'b'], arbiter: 'c', scripted: true };

describe('the set-ups of a comparison', () => {
  it('begin with one model alone and the panel, so that the ensemble is measured against it', () => {
    const bodies = suggestedSetUps(SUGGESTED).map((setUp) => bodyOfSetUp(setUp, 'Why?'));
    expect(bodies.map(({ model, ai_ensemble: { models } }) => [model, models])).toEqual([
      ['c', undefined],
      ['c', ['a', 'b']],
    ]);
    for (const { messages } of bodies) expect(messages).toEqual([{ role: 'user', content: 'Why?' }]);
  });

  it('have names that tell them apart', () => {
    const setUps = suggestedSetUps(SUGGESTED);
    const names = [...setUps, nextSetUp(setUps)].map((setUp) => setUpName(setUp, (id) => id.toUpperCase()));
    expect(names).toEqual([
      'C alone',
      'Competitive refinement, 2 participants',
      'Collaborative synthesis, 2 participants',
    ]);
  });

  it('say which of them is not whole', () => {
    const [alone, panel] = suggestedSetUps(SUGGESTED);
    if (!alone || !panel) throw new Error('two are suggested');
    expect(setUpFlaw([alone, panel])).toBeUndefined();
    const empty = { ...panel, settings: { ...panel.settings, participants: [] } };
    expect(setUpFlaw([alone, empty])).toMatch(/^Set-up 2: /);
  });
});
