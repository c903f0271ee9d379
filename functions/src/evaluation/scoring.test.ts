import fc from '../../test/support/properties';
import { CORE_CRITERIA, type CriterionKey, ROLE_NAMES, type RoleName, roleCriteria } from './rubric';
import {
  aggregate,
  isContested,
  judgeWeights,
  movedFar,
  overallOf,
  rounded,
  type ScoreRow,
  type Scores,
} from './scoring';

/** Five core scores in the order of the criteria; further ones by name. */
function scores(core: readonly number[], further: Scores = {}): Scores {
  return { ...Object.fromEntries(CORE_CRITERIA.map((key, at) => [key, core[at]])), ...further };
}

const flat = (score: number, further?: Scores): Scores => scores(Array(5).fill(score), further);
const only = (row: ScoreRow, weighted = false) => aggregate([row], weighted)[0];
const rowOf = (...values: (number | undefined)[]): ScoreRow => ({
  scores: values.map((value) => (value === undefined ? undefined : flat(value))),
});

describe('consensus, worked by hand', () => {
  it('skips judges without scores and keeps the places of the others', () => {
    // Mean 7; ((8 - 7)² + (6 - 7)²) / 2 = 1; 20·√1 = 20.
    expect(only(rowOf(undefined, 8, undefined, 6))).toEqual({
      ...{ scores: flat(7), overallScore: 7, judgeOveralls: [undefined, 8, undefined, 6], medoid: 1 },
      spread: { variance: 1, divergencePercent: 20, lowest: 3, highest: 1 },
    });
    expect(only(rowOf(undefined, 8))).not.toHaveProperty('spread');
    expect(only(rowOf(undefined, undefined))).toBeUndefined();
  });

  it('has for its nearest judge the one whose criteria are, not whose overall score is', () => {
    // Consensus 6 throughout. Judges 0 and 1 have overall 6 with criteria far off; judge 2 is half a point off.
    const torn = [scores([10, 2, 10, 2, 6]), scores([2, 10, 2, 10, 6])];
    expect(only({ scores: [...torn, flat(5.5), flat(6.5)] })?.medoid).toBe(2);
  });

  it('on a role criterion is the mean over the judges that gave it; without any there is none', () => {
    const given = [flat(7, { mitigationEffectiveness: 4, resilience: 9 }), flat(7, { mitigationEffectiveness: 6 })];
    const result = only({ role: 'blueTeam', scores: given });
    expect(result?.scores).toEqual(flat(7, { mitigationEffectiveness: 5, resilience: 9 }));
    // Overalls: 0.7·7 + 0.3·6.5 = 6.85 and 0.7·7 + 0.3·6 = 6.7; their mean 6.775.
    expect(result?.overallScore).toBeCloseTo(6.775, 12);
  });
});

describe('weights, worked by hand', () => {
  const further = [flat(5, { resilience: 10 }), flat(5, { resilience: 2 }), flat(5)];
  it.each<[string, readonly ScoreRow[], readonly number[]]>([
    // Medians of the others: 5, 4.5, 7.5. D = 2, 3.5, 5.5.
    ['are 1/D beyond a point of the peers', [rowOf(7, 8, 2)], [1 / 2, 1 / 3.5, 1 / 5.5]],
    ['are 1 within it', [rowOf(7, 7.5, 8)], [1, 1, 1]],
    // Judge 0 is off by 3 and 1: D = √5. Judges 1 and 2 by 1.5 and 0.5: D = √1.25.
    ['take all cells', [rowOf(9, 6, 6), rowOf(7, 6, 6)], [1 / Math.sqrt(5), 1 / Math.sqrt(1.25), 1 / Math.sqrt(1.25)]],
    ['count only cells that another judge scored too', [rowOf(9, undefined, undefined), rowOf(5, 5, 5)], [1, 1, 1]],
    // Six cells for judges 0 and 1, one of them 8 off: D = √(64 / 6). Judge 2 is nowhere off.
    [
      'count role criteria like the others',
      [{ role: 'blueTeam', scores: further }],
      [1 / Math.sqrt(64 / 6), 1 / Math.sqrt(64 / 6), 1],
    ],
  ])('%s', (_, rows, weights) => {
    expect(judgeWeights(rows)).toEqual(weights.map((weight) => expect.closeTo(weight, 12)));
  });

  it('pull the consensus to the judges who agree, leave the spread alone, and are equal for fewer than three', () => {
    const [weighted, ofTwo] = aggregate([rowOf(7, 8, 2), rowOf(7, undefined, 2)], true);
    // 7, 8, 2 with 1/2, 1/3.5 and 1/5.5, of the first row alone.
    expect(only(rowOf(7, 8, 2), true)?.overallScore).toBeCloseTo(6.355705, 5);
    expect(only(rowOf(7, 8, 2), true)?.scores.clarity).toBeCloseTo(6.355705, 5);
    expect(weighted?.spread).toEqual(only(rowOf(7, 8, 2))?.spread);
    expect([weighted?.judgeOveralls, ofTwo?.overallScore]).toEqual([[7, 8, 2], 4.5]);
  });
});

it.each([
  // Two judges 1.5 apart: 15 %. 1.6 apart: 16 %.
  [rowOf(6, 7.5), false],
  [rowOf(6, 7.6), true],
  [rowOf(6), false],
  [rowOf(undefined), false],
])('contested is a divergence above 15: %j', (row, expected) => expect(isContested(only(row))).toBe(expected));

it.each([
  [[5, 5, 5, 5, 8], false],
  [[5, 5, 5, 5, 8.5], true],
  [[5, 1.9, 5, 5, 5], true],
  [[2, 2, 2, 2, 2], false],
])('a far move is one of more than three points on any one criterion: from 5 to %j', (after, expected) => {
  expect(movedFar(flat(5), scores(after))).toBe(expected);
});

it.each([
  [6.355705, 6.36],
  [24.494897, 24.49],
  [0.004, 0],
  [0.005, 0.01],
])('%p is shown as %p', (value, shown) => expect(rounded(value)).toBe(shown));

describe('for any scores', () => {
  const score = fc.oneof(
    fc.integer({ min: 0, max: 20 }).map((half) => half / 2),
    fc.double({ min: 0, max: 10, noNaN: true }),
  );
  const cells = (role: RoleName | undefined): fc.Arbitrary<Scores> =>
    fc.record(Object.fromEntries([...CORE_CRITERIA, ...roleCriteria(role)].map((key) => [key, score])), {
      requiredKeys: [...CORE_CRITERIA],
    });
  const role = fc.option(fc.constantFrom<RoleName>(...ROLE_NAMES), { nil: undefined });
  /** Up to six judges and five responses, gaps, roles, half of them with missing role criteria. */
  const anyRows = fc.integer({ min: 1, max: 6 }).chain((judges) => {
    const length = { minLength: judges, maxLength: judges };
    const row = role.chain((of) =>
      fc.array(fc.option(cells(of), { nil: undefined, freq: 4 }), length).map((own) => ({ scores: own, role: of })),
    );
    return fc.array(row, { minLength: 1, maxLength: 5 });
  });

  it('(3) every consensus lies between its judges’ scores', () => {
    fc.assert(
      fc.property(anyRows, fc.boolean(), (rows, weighted) => {
        for (const [index, result] of aggregate(rows, weighted).entries()) {
          const own = rows[index]?.scores.filter((one) => one !== undefined) ?? [];
          expect(result === undefined).toBe(own.length === 0);
          if (!result) continue;
          for (const [key, value] of Object.entries(result.scores))
            expectBetween(
              value,
              own.map((one) => one[key as CriterionKey]),
            );
          expectBetween(result.overallScore, result.judgeOveralls);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('(4) raising one score never lowers its consensus, nor unweighted the overall score', () => {
    const raise = fc.record({
      row: fc.nat(),
      judge: fc.nat(),
      key: fc.nat(),
      by: fc.double({ min: 0, max: 10, noNaN: true }),
    });
    fc.assert(
      fc.property(anyRows, raise, fc.boolean(), (rows, at, weighted) => {
        const row = at.row % rows.length;
        const { scores: given = [], role: of } = rows[row] ?? {};
        const judge = at.judge % given.length;
        const own = given[judge] ?? {};
        const keys = Object.keys(own) as CriterionKey[];
        const key = keys[at.key % Math.max(1, keys.length)];
        if (key === undefined) return;
        const higher = { ...own, [key]: Math.min(10, (own[key] ?? 0) + at.by) };
        const raised = rows.with(row, { scores: given.with(judge, higher), role: of });
        const [before, after] = [aggregate(rows, weighted)[row], aggregate(raised, weighted)[row]];
        expect((after?.scores[key] ?? 0) - (before?.scores[key] ?? 0)).toBeGreaterThan(-1e-9);
        if (!weighted) expect((after?.overallScore ?? 0) - (before?.overallScore ?? 0)).toBeGreaterThan(-1e-9);
      }),
      { numRuns: 3_000 },
    );
  });

  it('(5) judges who say the same are one judge: the same numbers to the bit, divergence 0', () => {
    fc.assert(
      fc.property(cells('redTeam'), fc.integer({ min: 2, max: 7 }), fc.boolean(), (own, judges, weighted) => {
        const result = only({ role: 'redTeam', scores: Array(judges).fill(own) }, weighted);
        expect([result?.scores, result?.overallScore]).toEqual([own, overallOf(own, 'redTeam')]);
        expect(result?.spread).toMatchObject({ variance: 0, divergencePercent: 0 });
      }),
      { numRuns: 500 },
    );
  });
});

function expectBetween(value: number, range: readonly (number | undefined)[]): void {
  const known = range.filter((one) => one !== undefined);
  expect(value).toBeGreaterThanOrEqual(Math.min(...known));
  expect(value).toBeLessThanOrEqual(Math.max(...known));
}
