import { sampleModel } from './sample-model';

describe('the model of a first call', () => {
  it.each([
    [['gpt-x'], undefined, 'ensemble'],
    [['gpt-x'], ['e*', 'gpt-x'], 'ensemble'],
    [['gpt-x', 'claude-y'], ['claude-*'], 'claude-y'],
    [['axb', 'a.b'], ['a.b'], 'a.b'],
    [['gpt-x'], ['owner/own'], 'owner/own'],
  ])('of %j, with the limits %j, is %s', (offered, allowed, model) => {
    expect(sampleModel(offered, allowed)).toBe(model);
  });
});
