import { createCatalog } from '../models/catalog';
import { prepareEvaluation } from './evaluate';
import type { EvaluationMode, EvaluationRequest, EvaluationStrategy } from './evaluation';
import { type EvaluationPlan, planSize, secondLooks } from './plan';

const { modelOf, modelIdOfName } = createCatalog();

interface Wanted {
  readonly strategy?: EvaluationStrategy;
  readonly mode?: EvaluationMode;
  /** Model ids of the judges. */
  readonly judges: readonly string[];
  /** Model ids of the responses; their texts are told apart by their places. */
  readonly responses: readonly string[];
  readonly text?: (index: number) => string;
}

function request({ strategy = 'standard', mode = 'standard', judges, responses, text }: Wanted): EvaluationRequest {
  return {
    prompt: 'Why?',
    responses: responses.map((modelId, index) => ({
      modelId,
      modelName: modelId,
      response: text?.(index) ?? `text ${index}`,
    })),
    judges: judges.map((id, place) => ({ place, id, name: id, model: modelOf(id) })),
    strategy,
    mode,
    weighted: false,
    canonicalId: (id) => modelIdOfName(id).toLowerCase(),
  };
}

const planOf = (wanted: Wanted): EvaluationPlan => prepareEvaluation(Buffer.from('key'), request(wanted)).plan;
const many = (count: number, name = 'm'): string[] => Array.from({ length: count }, (_, index) => `${name}${index}`);
const JUDGES = many(10, 'judge-');

/** j, n → calls, as the reference's table has them; second looks of competitive refinement at their most. */
const TABLE: readonly [EvaluationStrategy, (j: number, n: number) => number, (j: number, n: number) => number][] = [
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
      expect(planSize(request(wanted))).toBe(count(j, n));
      expect(planOf(wanted).callsMax).toBe(count(j, n));
    }
  });

  it.each(['standard', 'pointwise'] as const)('shows each judge each response, in %s mode', (mode) => {
    const judges = JUDGES.slice(0, 2);
    const { calls, assigned, bench } = planOf({ strategy, mode, judges, responses: many(19) });
    for (const judge of bench) {
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
  it('shuffles anew for each judge', () => {
    const { calls } = planOf({ judges: JUDGES, responses: many(6) });
    expect(new Set(calls.map(({ responses }) => responses.join())).size).toBeGreaterThan(7);
  });

  it('lets all judges begin before one goes on', () => {
    const { calls } = planOf({ mode: 'pointwise', judges: JUDGES.slice(0, 3), responses: many(2) });
    expect(calls.map(({ judge }) => judge.place)).toEqual([0, 1, 2, 0, 1, 2]);
  });
});

describe('speed_pair', () => {
  it('takes the first two judges, and shows one the mirror of what it shows the other', () => {
    const { bench, calls } = planOf({ strategy: 'speed_pair', judges: JUDGES, responses: many(5) });
    expect(bench.map(({ id }) => id)).toEqual(JUDGES.slice(0, 2));
    expect(calls[0]?.responses.toReversed()).toEqual(calls[1]?.responses);
    expect(new Set(calls.map(({ judge }) => judge)).size).toBe(2);
  });

  it('shows a lone judge both, under other labels', () => {
    const { calls } = planOf({ strategy: 'speed_pair', judges: ['solo'], responses: many(5) });
    expect(calls[0]?.responses.toReversed()).toEqual(calls[1]?.responses);
    expect(calls[0]?.reader).not.toBe(calls[1]?.reader);
    expect(calls.map(({ callId }) => callId)).toEqual(['r1.j1.1', 'r1.j1.2']);
  });

  it('keeps its orders when the two judges change places', () => {
    const orders = (judges: readonly string[]): Record<string, unknown> =>
      Object.fromEntries(
        planOf({ strategy: 'speed_pair', judges, responses: many(5) }).calls.map((call) => [
          call.judge.id,
          call.responses,
        ]),
      );
    expect(orders(['x', 'y'])).toEqual(orders(['y', 'x']));
  });
});

describe('round_robin', () => {
  it('(14) shows each response in each place once over a full turn of judges', () => {
    const { calls } = planOf({ strategy: 'round_robin', judges: JUDGES.slice(0, 6), responses: many(6) });
    for (let place = 0; place < 6; place += 1) {
      expect(new Set(calls.map(({ responses }) => responses[place])).size).toBe(6);
    }
    const twice = planOf({ strategy: 'round_robin', judges: JUDGES.slice(0, 6), responses: many(3) }).calls;
    for (let place = 0; place < 3; place += 1) {
      const counts = Map.groupBy(twice, ({ responses }) => responses[place]);
      expect([...counts.values()].map(({ length }) => length)).toEqual([2, 2, 2]);
    }
  });

  it('(13) shows no judge what its own model wrote, under whichever of its names', () => {
    const judges = ['gpt-4o', 'claude-sonnet-5', 'x'];
    const responses = ['GPT-4o', 'Claude-Sonnet-5', 'gpt-4o', 'y'];
    const { calls, assigned, selfJudged } = planOf({ strategy: 'round_robin', judges, responses });
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

  it('in pointwise mode is j·n calls less the pairs of a judge and its own', () => {
    const wanted = {
      strategy: 'round_robin',
      mode: 'pointwise',
      judges: ['a', 'b', 'c'],
      responses: ['a', 'a', 'b', 'd'],
    } as const;
    expect(planOf(wanted).calls).toHaveLength(3 * 4 - 3);
    expect(planSize(request(wanted))).toBe(9);
  });

  it('leaves a judge without a call when all is its own', () => {
    const wanted = { strategy: 'round_robin', judges: ['a', 'b'], responses: ['a', 'a'] } as const;
    expect(planOf(wanted).calls.map(({ judge }) => judge.id)).toEqual(['b']);
    // It still takes a seat: the size is what is held against the cap.
    expect(planSize(request(wanted))).toBe(2);
  });

  it('recuses nobody where all judges are one model, and knows whom that leaves to judge itself', () => {
    const { calls, assigned, selfJudged } = planOf({
      strategy: 'round_robin',
      judges: ['a', 'A'],
      responses: ['a', 'b'],
    });
    expect(calls).toHaveLength(2);
    expect(assigned.map(({ length }) => length)).toEqual([2, 2]);
    expect([...selfJudged]).toEqual([0]);
  });

  it('recuses nobody in any other strategy', () => {
    const { calls, selfJudged } = planOf({ judges: ['a'], responses: ['a', 'b'] });
    expect(calls[0]?.responses).toHaveLength(2);
    expect(selfJudged.size).toBe(0);
  });
});

describe('second looks', () => {
  it('are the same calls, held to what is wanted', () => {
    const plan = planOf({ judges: ['a', 'b'], responses: many(10) });
    const looks = secondLooks(plan, (judge, response) => judge.id === 'b' && response === plan.calls[3]?.responses[2]);
    expect(looks).toEqual([{ ...plan.calls[3], callId: 'r2.j2.2', responses: [plan.calls[3]?.responses[2]] }]);
  });
});

describe('a judge’s context', () => {
  // demo-ada has 32,000 tokens: 60 % are 19,200; four characters a token, 1,500 tokens for the rubric.
  const of = (tokens: number) => (index: number) => `${index}`.padEnd(4 * tokens, 'x');

  it('makes more calls of texts that fill it, and cuts none', () => {
    const { calls, callsMax } = planOf({ judges: ['demo-ada'], responses: many(6), text: of(5_000) });
    expect(calls.map(({ responses }) => responses.length)).toEqual([3, 3]);
    expect(callsMax).toBe(2);
  });

  it('leaves out only what does not fit it', () => {
    const text = (index: number): string => of(index === 1 ? 30_500 : 29_000)(index);
    const { calls, assigned } = planOf({ judges: ['demo-ada', 'no-known-context'], responses: many(2), text });
    expect(calls.map(({ judge, responses }) => [judge.place, responses.toSorted()])).toEqual([
      [0, [0]],
      [1, [0, 1]],
    ]);
    expect(assigned[1]).toHaveLength(2);
  });
});

describe('an absurd request', () => {
  it('has its size told without being planned', () => {
    expect(planSize(request({ mode: 'pointwise', judges: many(20_000), responses: many(20_000) }))).toBe(400_000_000);
    expect(planSize(request({ strategy: 'round_robin', judges: many(20_000), responses: ['m0'] }))).toBe(20_000);
  });
});
