import { createCatalog } from '../models/catalog';
import { BlindLabels } from './blind-labels';
import { EVALUATION_STRATEGIES, type EvaluationRequest, type JudgedResponse } from './evaluation';

const { modelOf } = createCatalog();

const KEY = Buffer.from('a secret');
const ALL = [0, 1, 2, 3, 4, 5];
const TEXTS = ['one', 'two', 'three', 'four', 'five', 'six'];

function request(responses: readonly Partial<JudgedResponse>[], message = 'Why?'): EvaluationRequest {
  return {
    message,
    responses: responses.map((fields, index) => ({
      modelId: `m${index}`,
      modelName: `M${index}`,
      response: 'x',
      ...fields,
    })),
    judges: [],
    strategy: EVALUATION_STRATEGIES.standard,
    mode: 'standard',
    weighted: false,
    canonicalId: (id) => id.toLowerCase(),
  };
}

const six = (message?: string): EvaluationRequest =>
  request(
    TEXTS.map((response) => ({ response })),
    message,
  );
const textsOf = (wanted: EvaluationRequest, order: readonly number[]): (string | undefined)[] =>
  order.map((index) => wanted.responses[index]?.response);

describe('the order a reader sees', () => {
  const wanted = six();
  const layout = new BlindLabels(KEY, wanted);
  const order = textsOf(wanted, layout.order('judge', ALL));

  it('holds each response once', () => expect([...order].sort()).toEqual([...TEXTS].sort()));

  it('follows the texts, not their places', () => {
    const turned = { ...wanted, responses: wanted.responses.toReversed() };
    expect(textsOf(turned, new BlindLabels(KEY, turned).order('judge', ALL))).toEqual(order);
  });

  it('does not follow the models', () => {
    const renamed = {
      ...wanted,
      responses: wanted.responses.map((one) => ({ ...one, modelId: 'z', modelName: one.response })),
    };
    expect(textsOf(renamed, new BlindLabels(KEY, renamed).order('judge', ALL))).toEqual(order);
  });

  it('changes with the reader, the key, the message and the role', () => {
    const withRoles = request(TEXTS.map((response) => ({ response, role: 'judge' as const })));
    const others = [
      textsOf(wanted, layout.order('another judge', ALL)),
      textsOf(wanted, new BlindLabels(Buffer.from('another secret'), wanted).order('judge', ALL)),
      textsOf(six('How?'), new BlindLabels(KEY, six('How?')).order('judge', ALL)),
      textsOf(withRoles, new BlindLabels(KEY, withRoles).order('judge', ALL)),
    ];
    for (const other of others) expect(other).not.toEqual(order);
  });

  it('tells responses of the very same text and role apart by model, in whatever order they come', () => {
    const twins = [{ modelId: 'b' }, { modelId: 'a', modelName: 'Z' }, { modelId: 'a', modelName: 'Y' }];
    const namesOf = (responses: readonly Partial<JudgedResponse>[]): string[] => {
      const of = request(responses);
      return new BlindLabels(KEY, of).order('judge', [0, 1, 2]).map((index) => of.responses[index]?.modelName ?? '');
    };
    expect(namesOf(twins)).toEqual(['Y', 'Z', 'M0']);
    expect(namesOf(twins.toReversed().map((one) => ({ modelName: 'M0', ...one })))).toEqual(['Y', 'Z', 'M0']);
  });
});

describe('labels', () => {
  const layout = new BlindLabels(KEY, six());

  it('are four consonants, each its own', () => {
    const labels = [...layout.labels('judge', ALL).values()];
    for (const label of labels) expect(label).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(new Set(labels).size).toBe(6);
  });

  it('are new for each reader, and the same for the same', () => {
    expect(layout.labels('judge', ALL)).toEqual(layout.labels('judge', ALL.toReversed()));
    expect(layout.labels('another judge', ALL)).not.toEqual(layout.labels('judge', ALL));
  });

  it('stay apart where the texts are the same', () => {
    const same = new BlindLabels(KEY, request(ALL.map(() => ({}))));
    expect(new Set(same.labels('judge', ALL).values()).size).toBe(6);
  });
});

describe('the order of judges', () => {
  const judges = ['x', 'y', 'z', 'x'].map((id, index) => ({ index, id, name: `J${index}`, model: modelOf(id) }));
  const layout = new BlindLabels(KEY, six());

  it('does not follow the request', () => {
    const order = layout.judgeOrder(judges).map(({ name }) => name);
    expect(layout.judgeOrder(judges.toReversed()).map(({ name }) => name)).toEqual(order);
    expect([...order].sort()).toEqual(['J0', 'J1', 'J2', 'J3']);
  });
});
