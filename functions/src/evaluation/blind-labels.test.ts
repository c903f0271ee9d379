import { BlindLabels } from './blind-labels';
import { EVALUATION_STRATEGIES, type EvaluationRequest, type JudgedResponse } from './evaluation';

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
