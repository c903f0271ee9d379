import fc from '../../test/support/properties';
import { CORE_CRITERIA, type CriterionKey, criteriaOf, ROLE_NAMES, type RoleName } from './rubric';
import { aggregate, overallOf, type ScoreRow, type Scores } from './scoring';

/** Any promptDraft: up to six judges and five responses, gaps, roles, half of them with missing role criteria. */
const score = fc.oneof(
  fc.integer({ min: 0, max: 20 }).map((half) => half / 2),
  fc.double({ min: 0, max: 10, noNaN: true }),
);
const promptDraft = fc.integer({ min: 1, max: 6 }).chain((judges) =>
  fc.array(
    fc
      .option(fc.constantFrom<RoleName>(...ROLE_NAMES), { nil: undefined })
      .chain((role) =>
        fc
          .array(fc.option(cells(role), { nil: undefined, freq: 4 }), { minLength: judges, maxLength: judges })
          .map((own): ScoreRow => ({ scores: own, ...(role !== undefined && { role }) })),
      ),
    { minLength: 1, maxLength: 5 },
  ),
);

function cells(role: RoleName | undefined): fc.Arbitrary<Scores> {
  const required = Object.fromEntries(CORE_CRITERIA.map((key) => [key, score]));
  const further = Object.fromEntries(
    criteriaOf([role])
      .slice(5)
      .map((key) => [key, fc.option(score, { nil: undefined })]),
  );
  return fc.tuple(fc.record(required), fc.record(further)).map(([core, rest]) => ({
    ...core,
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
  })) as fc.Arbitrary<Scores>;
}

const RUNS = { numRuns: 500 };

describe('for any scores', () => {
  it('(3) every consensus lies between its judges’ scores, and in 0 to 10', () => {
    fc.assert(
      fc.property(promptDraft, fc.boolean(), (rows, weighted) => {
        for (const [index, result] of aggregate(rows, weighted).entries()) {
          const own = rows[index]?.scores.filter((one) => one !== undefined) ?? [];
          expect(result === undefined).toBe(own.length === 0);
          if (!result) continue;
          for (const key of Object.keys(result.scores) as CriterionKey[]) {
            expectBetween(
              result.scores[key],
              own.flatMap((one) => one[key] ?? []),
            );
          }
          expectBetween(
            result.overallScore,
            result.judgeOveralls.filter((one) => one !== undefined),
          );
          expectBetween(result.overallScore, [0, 10]);
        }
      }),
      RUNS,
    );
  });

  it('(4) raising one score never lowers its consensus nor the overall score, in either mode', () => {
    const raise = fc.record({
      row: fc.nat(),
      judge: fc.nat(),
      key: fc.nat(),
      by: fc.double({ min: 0, max: 10, noNaN: true }),
    });
    fc.assert(
      fc.property(promptDraft, raise, fc.boolean(), (rows, at, weighted) => {
        const row = at.row % rows.length;
        const judge = at.judge % (rows[row]?.scores.length ?? 1);
        const own = rows[row]?.scores[judge];
        const keys = Object.keys(own ?? {}) as CriterionKey[];
        const key = keys[at.key % Math.max(1, keys.length)];
        if (!own || key === undefined) return;
        const raised = rows.map((one, index) =>
          index === row
            ? {
                ...one,
                scores: one.scores.map((scores, place) =>
                  place === judge ? { ...own, [key]: Math.min(10, (own[key] ?? 0) + at.by) } : scores,
                ),
              }
            : one,
        );
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
        const row: ScoreRow = { role: 'redTeam', scores: Array.from({ length: judges }, () => own) };
        const [result] = aggregate([row], weighted);
        expect(result?.scores).toEqual(own);
        expect(result?.overallScore).toBe(overallOf(own, 'redTeam'));
        expect(result?.spread).toMatchObject({ variance: 0, divergencePercent: 0 });
      }),
      RUNS,
    );
  });
});

function expectBetween(value: number | undefined, range: readonly number[]): void {
  expect(value).toBeGreaterThanOrEqual(Math.min(...range));
  expect(value).toBeLessThanOrEqual(Math.max(...range));
}
