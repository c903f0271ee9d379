import { textOfTokens } from '../../test/support/text-of-tokens';
import { createCatalog } from '../models/catalog';
import { jsonText } from '../prompting/json-text';
import { BlindLabels } from './blind-labels';
import {
  EVALUATION_STRATEGIES,
  EVALUATION_STRATEGY_NAMES,
  type EvaluationRequest,
  type EvaluationStrategyName,
} from './evaluation';
import { callsNeeded, type JudgeSchedule, scheduleJudges } from './judge-schedule';

const { modelOf, modelIdOfName } = createCatalog();

interface Wanted {
  readonly strategy?: EvaluationStrategyName;
  readonly mode?: EvaluationRequest['mode'];
  /** Model ids of the judges. */
  readonly judges: readonly string[];
  /** Model ids of the responses; their texts are told apart by their places. */
  readonly responses: readonly string[];
  readonly text?: (index: number) => string;
}

function request({ strategy = 'standard', mode = 'standard', judges, responses, text }: Wanted): EvaluationRequest {
  const textOf = (index: number) => text?.(index) ?? `text ${index}`;
  return {
    message: 'Why?',
    responses: responses.map((modelId, index) => ({ modelId, modelName: modelId, response: textOf(index) })),
    judges: judges.map((id, index) => ({ index, id, name: id, model: modelOf(id) })),
    strategy: EVALUATION_STRATEGIES[strategy],
    mode,
    weighted: false,
    canonicalId: (id) => modelIdOfName(id).toLowerCase(),
  };
}

const scheduleOf = (wanted: Wanted, requestId = 'request 1'): JudgeSchedule => {
  const asked = request(wanted);
  const responses = asked.responses.map(({ response }) => jsonText(response));
  const labels = new BlindLabels(Buffer.from('key'), asked);
  return scheduleJudges({
    request: asked,
    requestId,
    labels,
    material: { message: jsonText(asked.message), responses },
  });
};
const many = (count: number, name = 'm'): string[] => Array.from({ length: count }, (_, index) => `${name}${index}`);
const JUDGES = many(10, 'judge-');

/** j, n → calls, as the table in docs/evaluations.md has them; second looks of competitive refinement at their most. */
const TABLE: readonly [EvaluationStrategyName, (j: number, n: number) => number, (j: number, n: number) => number][] = [
  ['standard', (j, n) => j * Math.ceil(n / 8), (j, n) => j * n],
  ['speed_pair', (_, n) => 2 * Math.ceil(n / 8), (j, n) => Math.min(2, j) * n],
  ['round_robin', (j, n) => j * Math.ceil(n / 8), (j, n) => j * n],
  ['competitive_refinement', (j, n) => (j > 1 ? 2 : 1) * j * Math.ceil(n / 8), (j, n) => (j > 1 ? 2 : 1) * j * n],
];

it.each(TABLE)('%s is as many calls as the table says', (strategy, standard, pointwise) => {
  for (const j of [1, 2, 3, 7])
    for (const n of [1, 2, 8, 9, 16, 17]) {
      const wanted = { strategy, judges: JUDGES.slice(0, j), responses: many(n) };
      const counts = (['standard', 'pointwise'] as const).map((mode) => [
        callsNeeded(request({ ...wanted, mode })),
        scheduleOf({ ...wanted, mode }).callsMax,
      ]);
      expect({ j, n, counts }).toEqual({
        j,
        n,
        counts: [Array(2).fill(standard(j, n)), Array(2).fill(pointwise(j, n))],
      });
    }
});

it('an absurd request has its size told without being scheduled', () => {
  expect(callsNeeded(request({ mode: 'pointwise', judges: many(20_000), responses: many(20_000) }))).toBe(400_000_000);
});

describe.each(EVALUATION_STRATEGY_NAMES)('%s', (strategy) => {
  it.each([
    // 19 in calls of at most 8: 7 + 7 + 5.
    ['standard', 7],
    ['pointwise', 1],
  ] as const)('shows each judge each response, all beginning before one goes on, in %s mode', (mode, longest) => {
    const wanted = { strategy, mode, judges: JUDGES.slice(0, 2), responses: many(19) };
    const { calls, judges: asked } = scheduleOf(wanted);
    for (const judge of asked) {
      const seen = calls.filter((call) => call.judge === judge).flatMap(({ responses }) => responses);
      expect(seen.sort((a, b) => a - b)).toEqual([...many(19).keys()]);
    }
    expect(Math.max(...calls.map(({ responses }) => responses.length))).toBe(longest);
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(calls.length);
    expect(new Set(calls.slice(0, 2).map(({ judge }) => judge)).size).toBe(2);
  });

  it('regression: a lone judge reads in another order when the request is repeated, wherever its places do not even out', () => {
    const ordersOf = (more: Partial<Wanted>): number => {
      const wanted = { strategy, judges: ['solo'], responses: many(6), ...more };
      const orders = many(20, 'request ').map((id) => scheduleOf(wanted, id).calls.map((call) => call.responses));
      return new Set(orders.map((order) => JSON.stringify(order))).size;
    };
    expect(ordersOf({}) > 12).toBe(strategy !== 'speed_pair');
    expect([ordersOf({ judges: JUDGES.slice(0, 2) }), ordersOf({ mode: 'pointwise' })]).toEqual([1, 1]);
  });
});

it('speed_pair takes the first two judges, and shows one the mirror of what it shows the other', () => {
  const { judges, calls } = scheduleOf({ strategy: 'speed_pair', judges: JUDGES, responses: many(5) });
  expect(judges.map(({ id }) => id)).toEqual(JUDGES.slice(0, 2));
  expect(calls[0]?.responses.toReversed()).toEqual(calls[1]?.responses);
});

describe('round_robin', () => {
  it.each([6, 3])('(14) shows each of %d responses in each place equally often over a full turn of judges', (count) => {
    const { calls } = scheduleOf({ strategy: 'round_robin', judges: JUDGES.slice(0, 6), responses: many(count) });
    for (let place = 0; place < count; place += 1) {
      const times = [...Map.groupBy(calls, ({ responses }) => responses[place]).values()].map(({ length }) => length);
      expect(times).toEqual(Array(count).fill(6 / count));
    }
  });

  it.each<[string, readonly string[], readonly string[], object]>([
    [
      'its own model, under whichever of its names',
      ['gpt-4o', 'claude-sonnet-5', 'x'],
      ['GPT-4o', 'Claude-Sonnet-5', 'gpt-4o', 'y'],
      {
        calls: { 'gpt-4o': [1, 3], 'claude-sonnet-5': [0, 2, 3], x: [0, 1, 2, 3] },
        assigned: ['claude-sonnet-5,x', 'gpt-4o,x', 'claude-sonnet-5,x', 'gpt-4o,claude-sonnet-5,x'],
        ...{ self: [], needed: 3 },
      },
    ],
    // A judge without a call still takes a seat: the size is what is held against the cap.
    [
      'anything, where all is its own',
      ['a', 'b'],
      ['a', 'a'],
      { calls: { b: [0, 1] }, assigned: ['b', 'b'], self: [], needed: 2 },
    ],
    [
      'what is not its own; nobody is recused where all judges are one model',
      ['a', 'A'],
      ['a', 'b'],
      { calls: { a: [0, 1], A: [0, 1] }, assigned: ['a,A', 'a,A'], self: [0], needed: 2 },
    ],
  ])('(13) shows no judge %s', (_, judges, responses, expected) => {
    const wanted = { strategy: 'round_robin', judges, responses } as const;
    const { calls, assigned, selfJudged } = scheduleOf(wanted);
    expect({
      calls: Object.fromEntries(calls.map((call) => [call.judge.id, [...call.responses].sort()])),
      assigned: assigned.map((own) => own.map(({ id }) => id).join()),
      self: [...selfJudged],
      needed: callsNeeded(request(wanted)),
    }).toEqual(expected);
  });
});

describe('a judge’s context', () => {
  // demo-ada has 32,000 tokens: 60 % are 19,200; 1,500 tokens for the rubric.
  const of = (tokens: number) => (index: number) => `${index}${textOfTokens(tokens - 2)}`;

  it('makes more calls of texts that fill it, and cuts none', () => {
    const { calls, callsMax } = scheduleOf({ judges: ['demo-ada'], responses: many(6), text: of(5_000) });
    expect([calls.map(({ responses }) => responses.length), callsMax]).toEqual([[3, 3], 2]);
  });

  it('leaves out only what does not fit it', () => {
    const text = (index: number): string => of(index === 1 ? 30_500 : 29_000)(index);
    const { calls, assigned } = scheduleOf({ judges: ['demo-ada', 'no-known-context'], responses: many(2), text });
    expect(calls.map(({ responses }) => responses.toSorted())).toEqual([[0], [0, 1]]);
    expect(assigned[1]).toHaveLength(2);
  });
});

describe('labels and orders', () => {
  const labelsOf = (message: string, role: 'judge' | undefined, key = 'a secret') =>
    new BlindLabels(Buffer.from(key), {
      message,
      responses: many(6).map((response) => ({ modelId: 'm', modelName: 'M', response, ...(role && { role }) })),
    });
  const all = [0, 1, 2, 3, 4, 5];
  const own = labelsOf('Why?', undefined);

  it.each([
    ['the reader', own, 'another judge'],
    ['the secret', labelsOf('Why?', undefined, 'another secret'), 'judge'],
    ['the message', labelsOf('How?', undefined), 'judge'],
    ['the role', labelsOf('Why?', 'judge'), 'judge'],
  ])('change with %s', (_, labels, reader) => {
    expect(labels.order(reader, all)).not.toEqual(own.order('judge', all));
    expect(labels.labels(reader, all)).not.toEqual(own.labels('judge', all));
  });

  it('are four consonants each, and stay apart where the texts are the same', () => {
    const responses = Array(6).fill({ modelId: 'm', modelName: 'M', response: 'x' });
    const labels = [...new BlindLabels(Buffer.from('k'), { message: 'Why?', responses }).labels('judge', all).values()];
    for (const label of labels) expect(label).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(new Set(labels).size).toBe(6);
  });

  it('tell responses of the very same text apart by model, in whatever order they come', () => {
    const twins = ['Z', 'Y', 'X'].map((modelName) => ({ modelId: 'a', modelName, response: 'x' }));
    const namesOf = (responses: typeof twins) =>
      new BlindLabels(Buffer.from('k'), { message: 'Why?', responses })
        .order('judge', [0, 1, 2])
        .map((index) => responses[index]?.modelName);
    expect([namesOf(twins), namesOf(twins.toReversed())]).toEqual(Array(2).fill(['X', 'Y', 'Z']));
  });
});
