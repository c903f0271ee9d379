import { mayUseModel, refuseEndpoint, refuseModels } from './key-scope';

describe('the endpoints of a key', () => {
  it('are those it is limited to, any where it is not, and also for a caller without a key', () => {
    expect(refuseEndpoint({ endpoints: ['usage', 'models'] }, 'models')).toBeUndefined();
    expect(refuseEndpoint({}, 'responses')).toBeUndefined();
    expect(refuseEndpoint(undefined, 'responses')).toBeUndefined();
  });

  it('are none where the list is empty', () => {
    expect(refuseEndpoint({ endpoints: [] }, 'usage')).toMatchObject({ code: 'not_allowed' });
  });

  it('are named when refused', () => {
    expect(refuseEndpoint({ endpoints: ['usage'] }, 'chat.completions')).toMatchObject({
      code: 'not_allowed',
      text: 'This API key may not use the endpoint chat.completions',
    });
  });
});

describe('the models of a key', () => {
  const limits = { models: ['gpt-*', 'claude-opus'] };

  it('are those that fit a pattern, any where there is no list, and none where it is empty', () => {
    const may = (id: string) => mayUseModel(limits, id);
    expect(['gpt-5', 'claude-opus', 'claude-opus-2', 'my-gpt-5'].map(may)).toEqual([true, true, false, false]);
    expect([mayUseModel({}, 'any'), mayUseModel(undefined, 'any'), mayUseModel({ models: [] }, 'any')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('let a request pass only when it may use every one, and the refusal names the first it may not', () => {
    expect(refuseModels(limits, ['gpt-5', 'claude-opus'])).toBeUndefined();
    expect(refuseModels(limits, ['gpt-5', 'gemini', 'llama'])).toMatchObject({
      code: 'not_allowed',
      text: 'This API key may not use the model gemini',
    });
  });

  it('are any for a key without a list, or a caller without a key', () => {
    expect(refuseModels({}, ['any'])).toBeUndefined();
    expect(refuseModels(undefined, ['any'])).toBeUndefined();
  });
});
