import { textOfTokens } from '../../test/support/text-of-tokens';
import { createCatalog } from '../models/catalog';
import { jsonText } from '../prompting/json-text';
import { BlindLabels } from './blind-labels';
import { EVALUATION_STRATEGIES, type EvaluationRequest, type EvaluationStrategyName } from './evaluation';
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
  return {
    message: 'Why?',
    responses: responses.map((modelId, index) => ({
      modelId,
      modelName: modelId,
      response: text?.(index) ?? `text ${index}`,
    })),
    judges: judges.map((id, index) => ({ index, id, name: id, model: modelOf(id) })),
    strategy: EVALUATION_STRATEGIES[strategy],
    mode,
    weighted: false,
    canonicalId: (id) => modelIdOfName(id).toLowerCase(),
  };
}

const scheduleOf = (wanted: Wanted, requestId = 'request 1'): JudgeSchedule => {
  const asked = request(wanted);
  const material = {
    message: jsonText(asked.message),
    responses: asked.responses.map(({ response }) => jsonText(response)),
  };
  return scheduleJudges({ request: asked, requestId, labels: new BlindLabels(Buffer.from('key'), asked), material });
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

describe.each(TABLE)('%s', (strategy, standard, pointwise) => {
  const sizes = [1, 2, 3, 7].flatMap((j) => [1, 2, 8, 9, 16, 17].map((n) => [j, n] as const));
  it.each(sizes)('of %i judges and %i responses is as many calls as the table says', (j, n) => {
    for (const [mode, count] of [
      ['standard', standard],
      ['pointwise', pointwise],
    ] as const) {
      const wanted = { strategy, mode, judges: JUDGES.slice(0, j), responses: many(n) };
      expect(callsNeeded(request(wanted))).toBe(count(j, n));
      expect(scheduleOf(wanted).callsMax).toBe(count(j, n));
    }
  });

  it.each(['standard', 'pointwise'] as const)('shows each judge each response, in %s mode', (mode) => {
    const judges = JUDGES.slice(0, 2);
    const { calls, assigned, judges: asked } = scheduleOf({ strategy, mode, judges, responses: many(19) });
    for (const judge of asked) {
      const seen = calls.filter((call) => call.judge === judge).flatMap(({ responses }) => responses);
      expect(seen.sort((a, b) => a - b)).toEqual(many(19).map((_, index) => index));
    }
    expect(assigned.every((own) => own.length === 2)).toBe(true);
    const longest = Math.max(...calls.map(({ responses }) => responses.length));
    // 19 in calls of at most 8: 7 + 7 + 5.
    expect(longest).toBe(mode === 'pointwise' ? 1 : 7);
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(calls.length);
  });
});

describe('standard', () => {
  const ordersOf = (judges: readonly string[], more: Partial<Wanted> = {}): Set<string> => {
    const ids = many(20, 'request ');
    const wanted = { judges, responses: many(6), ...more };
    return new Set(ids.map((id) => JSON.stringify(scheduleOf(wanted, id).calls.map((call) => call.responses))));
  };

  it.each(['standard', 'round_robin', 'competitive_refinement'] as const)(
    'regression: a lone judge (%s) reads in another order when the request is repeated',
    (strategy) => expect(ordersOf(['solo'], { strategy }).size).toBeGreaterThan(12),
  );

  it('where places even out, or there is but one, a repeat is read as the request was', () => {
    expect(ordersOf(JUDGES.slice(0, 2)).size).toBe(1);
    expect(ordersOf(['solo'], { strategy: 'speed_pair' }).size).toBe(1);
    expect(ordersOf(['solo'], { mode: 'pointwise' }).size).toBe(1);
  });

  it('a lone judge reads what it reads wherever a response stands in the request', () => {
    const texts = many(6, 'text ');
    const readAs = (order: readonly number[]): string[] => {
      const wanted = {
        judges: ['solo'],
        responses: order.map(() => 'm'),
        text: (at: number) => texts[order[at] ?? 0] ?? '',
      };
      return scheduleOf(wanted).calls.flatMap(({ responses }) => responses.map((at) => wanted.text(at)));
    };
    expect(readAs([3, 5, 0, 2, 4, 1])).toEqual(readAs([0, 1, 2, 3, 4, 5]));
  });

  it('lets all judges begin before one goes on', () => {
    const { calls } = scheduleOf({ mode: 'pointwise', judges: JUDGES.slice(0, 3), responses: many(2) });
    expect(calls.map(({ judge }) => judge.index)).toEqual([0, 1, 2, 0, 1, 2]);
  });
});

describe('speed_pair', () => {
  it('takes the first two judges, and shows one the mirror of what it shows the other', () => {
    const { judges, calls } = scheduleOf({ strategy: 'speed_pair', judges: JUDGES, responses: many(5) });
    expect(judges.map(({ id }) => id)).toEqual(JUDGES.slice(0, 2));
    expect(calls[0]?.responses.toReversed()).toEqual(calls[1]?.responses);
    expect(new Set(calls.map(({ judge }) => judge)).size).toBe(2);
  });

  it('keeps its orders when the two judges change places', () => {
    const orders = (judges: readonly string[]): Record<string, unknown> =>
      Object.fromEntries(
        scheduleOf({ strategy: 'speed_pair', judges, responses: many(5) }).calls.map((call) => [
          call.judge.id,
          call.responses,
        ]),
      );
    expect(orders(['x', 'y'])).toEqual(orders(['y', 'x']));
  });
});

describe('round_robin', () => {
  it('(14) shows each response in each place once over a full turn of judges', () => {
    const { calls } = scheduleOf({ strategy: 'round_robin', judges: JUDGES.slice(0, 6), responses: many(6) });
    for (let place = 0; place < 6; place += 1) {
      expect(new Set(calls.map(({ responses }) => responses[place])).size).toBe(6);
    }
    const twice = scheduleOf({ strategy: 'round_robin', judges: JUDGES.slice(0, 6), responses: many(3) }).calls;
    for (let place = 0; place < 3; place += 1) {
      const counts = Map.groupBy(twice, ({ responses }) => responses[place]);
      expect([...counts.values()].map(({ length }) => length)).toEqual([2, 2, 2]);
    }
  });

  it('(13) shows no judge what its own model wrote, under whichever of its names', () => {
    const judges = ['gpt-4o', 'claude-sonnet-5', 'x'];
    const responses = ['GPT-4o', 'Claude-Sonnet-5', 'gpt-4o', 'y'];
    const { calls, assigned, selfJudged } = scheduleOf({ strategy: 'round_robin', judges, responses });
    const seenBy = Object.fromEntries(calls.map((call) => [call.judge.id, [...call.responses].sort()]));
    expect(seenBy).toEqual({ 'gpt-4o': [1, 3], 'claude-sonnet-5': [0, 2, 3], x: [0, 1, 2, 3] });
    expect(assigned.map((own) => own.map(({ id }) => id))).toEqual([
      ['claude-sonnet-5', 'x'],
      ['gpt-4o', 'x'],
      ['claude-sonnet-5', 'x'],
      judges,
    ]);
    expect(selfJudged.size).toBe(0);
  });

  it('leaves a judge without a call when all is its own', () => {
    const wanted = { strategy: 'round_robin', judges: ['a', 'b'], responses: ['a', 'a'] } as const;
    expect(scheduleOf(wanted).calls.map(({ judge }) => judge.id)).toEqual(['b']);
    // It still takes a seat: the size is what is held against the cap.
    expect(callsNeeded(request(wanted))).toBe(2);
  });

  it('recuses nobody where all judges are one model, and knows whom that leaves to judge itself', () => {
    const { calls, assigned, selfJudged } = scheduleOf({
      strategy: 'round_robin',
      judges: ['a', 'A'],
      responses: ['a', 'b'],
    });
    expect(calls).toHaveLength(2);
    expect(assigned.map(({ length }) => length)).toEqual([2, 2]);
    expect([...selfJudged]).toEqual([0]);
  });
});

describe('a judge’s context', () => {
  // demo-ada has 32,000 tokens: 60 % are 19,200; 1,500 tokens for the rubric.
  const of = (tokens: number) => (index: number) => `${index}${textOfTokens(tokens - 2)}`;

  it('makes more calls of texts that fill it, and cuts none', () => {
    const { calls, callsMax } = scheduleOf({ judges: ['demo-ada'], responses: many(6), text: of(5_000) });
    expect(calls.map(({ responses }) => responses.length)).toEqual([3, 3]);
    expect(callsMax).toBe(2);
  });

  it('leaves out only what does not fit it', () => {
    const text = (index: number): string => of(index === 1 ? 30_500 : 29_000)(index);
    const { calls, assigned } = scheduleOf({ judges: ['demo-ada', 'no-known-context'], responses: many(2), text });
    expect(calls.map(({ judge, responses }) => [judge.index, responses.toSorted()])).toEqual([
      [0, [0]],
      [1, [0, 1]],
    ]);
    expect(assigned[1]).toHaveLength(2);
  });
});

describe('an absurd request', () => {
  it('has its size told without being scheduled', () => {
    expect(callsNeeded(request({ mode: 'pointwise', judges: many(20_000), responses: many(20_000) }))).toBe(
      400_000_000,
    );
    expect(callsNeeded(request({ strategy: 'round_robin', judges: many(20_000), responses: ['m0'] }))).toBe(20_000);
  });
});
