import {
  aggregate,
  averageScores,
  type Consensus,
  isContested,
  judgeWeights,
  movedFar,
  overallOf,
  rounded,
  type ScoreRow,
  type Scores,
} from './scoring';

/** Five core scores in the order of the criteria; further ones by name. */
function scores(core: readonly [number, number, number, number, number], further: Scores = {}): Scores {
  const [accuracy, creativity, clarity, completeness, usefulness] = core;
  return { accuracy, creativity, clarity, completeness, usefulness, ...further };
}

const flat = (score: number): Scores => scores([score, score, score, score, score]);
const only = (row: ScoreRow, weighted = false): Consensus | undefined => aggregate([row], weighted)[0];
const rowOf = (...values: (number | undefined)[]): ScoreRow => ({
  scores: values.map((value) => (value === undefined ? undefined : flat(value))),
});

describe('a judge’s overall score', () => {
  it('is the mean of the core criteria', () => {
    // (9 + 6 + 7 + 8 + 5) / 5 = 35 / 5
    expect(overallOf(scores([9, 6, 7, 8, 5]), undefined)).toBe(7);
  });

  it('is with a role 0.7 of that and 0.3 of the mean of the role’s criteria', () => {
    // Core 7; role (4 + 3 + 2) / 3 = 3; 0.7·7 + 0.3·3 = 4.9 + 0.9 = 5.8
    const own = scores([9, 6, 7, 8, 5], { vulnerabilityDiscovery: 4, attackRealism: 3, impactAssessment: 2 });
    expect(overallOf(own, 'redTeam')).toBeCloseTo(5.8, 12);
  });
});

describe('consensus, worked by hand', () => {
  const row: ScoreRow = { scores: [scores([8, 6, 9, 7, 5]), scores([6, 6, 7, 5, 6])] };

  it('is the plain mean by criterion and of the judges’ overall scores', () => {
    // Overalls 35/5 = 7 and 30/5 = 6.
    expect(only(row)).toEqual({
      scores: { accuracy: 7, creativity: 6, clarity: 8, completeness: 6, usefulness: 5.5 },
      overallScore: 6.5,
      judgeOveralls: [7, 6],
      medoid: 0,
      // ((7 - 6.5)² + (6 - 6.5)²) / 2 = 0.25; 20·√0.25 = 10: one point of ten apart
      spread: { variance: 0.25, divergencePercent: 10, lowest: 1, highest: 0 },
    });
  });

  it('of 5, 8, 8, 8 and 6 has the variance 1.6 and the divergence 25.30', () => {
    // Mean 7; (4 + 1 + 1 + 1 + 1) / 5 = 1.6; 20·√1.6 = 25.298…
    const { spread } = only(rowOf(5, 8, 8, 8, 6)) ?? {};
    expect(spread?.variance).toBeCloseTo(1.6, 12);
    expect(rounded(spread?.divergencePercent ?? 0)).toBe(25.3);
  });

  it('names who is lowest and highest, wherever they sit', () => {
    expect(only(rowOf(6, 9, 3, 7))?.spread).toMatchObject({ lowest: 2, highest: 1 });
  });

  it('has for its nearest judge the one whose criteria are, not whose overall score is', () => {
    // Consensus 6 throughout (overall 6). Judge 0 has overall 6 with criteria far off; judge 3 is half a point off.
    const torn = scores([10, 2, 10, 2, 6]);
    const inverse = scores([2, 10, 2, 10, 6]);
    expect(only({ scores: [torn, inverse, flat(5.5), flat(6.5)] })?.medoid).toBe(2);
  });

  it('skips judges without scores and keeps the places of the others', () => {
    expect(only(rowOf(undefined, 8, undefined, 6))).toMatchObject({
      overallScore: 7,
      judgeOveralls: [undefined, 8, undefined, 6],
      medoid: 1,
      spread: { lowest: 3, highest: 1 },
    });
  });

  it('of one judge is that judge, with no spread measured', () => {
    const own = scores([9.3, 6.1, 7, 8.7, 5.9]);
    const result = only({ scores: [undefined, own] });
    expect(result).toEqual({
      scores: own,
      overallScore: overallOf(own, undefined),
      judgeOveralls: [undefined, overallOf(own, undefined)],
      medoid: 1,
    });
  });

  it('of no judge is none', () => {
    expect(aggregate([rowOf(undefined, undefined), rowOf(1)], false)).toEqual([undefined, expect.anything()]);
  });

  it('on a role criterion is the mean over the judges that gave it; without any there is none', () => {
    const row: ScoreRow = {
      role: 'blueTeam',
      scores: [
        scores([7, 7, 7, 7, 7], { mitigationEffectiveness: 4, resilience: 9 }),
        scores([7, 7, 7, 7, 7], { mitigationEffectiveness: 6 }),
      ],
    };
    // Overalls: 0.7·7 + 0.3·6.5 = 6.85 and 0.7·7 + 0.3·6 = 6.7; their mean 6.775.
    const result = only(row);
    expect(result?.scores).toEqual({ ...flat(7), mitigationEffectiveness: 5, resilience: 9 });
    expect(result?.overallScore).toBeCloseTo(6.775, 12);
  });
});

describe('weights, worked by hand', () => {
  it('are 1 within a point of the peers and 1/D beyond', () => {
    // One response, all criteria alike: 7, 8, 2. Medians of the others: 5, 4.5, 7.5. D = 2, 3.5, 5.5.
    expect(judgeWeights([rowOf(7, 8, 2)])).toEqual([1 / 2, 1 / 3.5, 1 / 5.5]);
    // 7, 7.5, 8: others' medians 7.75, 7.5, 7.25; D = 0.75, 0, 0.75.
    expect(judgeWeights([rowOf(7, 7.5, 8)])).toEqual([1, 1, 1]);
  });

  it('take the root mean square over all cells', () => {
    // Judge 0 against the two others, who agree at 6: off by 3 on response 1, by 1 on response 2. D = √((9 + 1) / 2) = √5.
    // Judges 1 and 2: medians of the others 7.5 and 6.5; off by 1.5 and 0.5: D = √((2.25 + 0.25) / 2) = √1.25.
    const [first, second, third] = judgeWeights([rowOf(9, 6, 6), rowOf(7, 6, 6)]);
    expect(first).toBeCloseTo(1 / Math.sqrt(5), 12);
    expect(second).toBeCloseTo(1 / Math.sqrt(1.25), 12);
    expect(third).toBe(second);
  });

  it('count only cells that another judge scored too, and role criteria like the others', () => {
    expect(judgeWeights([rowOf(9, undefined, undefined), rowOf(5, 5, 5)])).toEqual([1, 1, 1]);
    const row: ScoreRow = {
      role: 'blueTeam',
      scores: [scores([5, 5, 5, 5, 5], { resilience: 10 }), scores([5, 5, 5, 5, 5], { resilience: 2 }), flat(5)],
    };
    // Six cells for judges 0 and 1, one of them 8 off: D = √(64 / 6). Judge 2 is nowhere off.
    const [first, second, third] = judgeWeights([row]);
    expect(first).toBeCloseTo(1 / Math.sqrt(64 / 6), 12);
    expect(second).toBeCloseTo(1 / Math.sqrt(64 / 6), 12);
    expect(third).toBe(1);
  });

  it('pull the consensus to the judges who agree', () => {
    // 7, 8, 2: weights 1/2, 2/7, 2/11. Σw = 0.5 + 0.285714 + 0.181818 = 0.967532; Σwx = 3.5 + 2.285714 + 0.363636 = 6.149351.
    expect(only(rowOf(7, 8, 2), true)?.overallScore).toBeCloseTo(6.355705, 5);
    expect(only(rowOf(7, 8, 2), true)?.scores.clarity).toBeCloseTo(6.355705, 5);
    expect(only(rowOf(7, 8, 2), false)?.overallScore).toBeCloseTo(17 / 3, 12);
  });

  it('leave variance, divergence and the judges’ own scores alone', () => {
    const [plain, weighted] = [only(rowOf(7, 8, 2), false), only(rowOf(7, 8, 2), true)];
    expect(weighted?.spread).toEqual(plain?.spread);
    expect(weighted?.judgeOveralls).toEqual([7, 8, 2]);
  });

  it('are equal on a response that fewer than three judges scored', () => {
    const rows = [rowOf(7, 8, 2), rowOf(9, undefined, 3)];
    expect(judgeWeights(rows)).not.toEqual([1, 1, 1]);
    expect(aggregate(rows, true)[1]?.overallScore).toBe(6);
  });
});

describe('two readings by one judge', () => {
  it('are averaged by criterion over those that have it', () => {
    const first = scores([8, 6, 7, 7, 5], { resilience: 9 });
    const second = scores([6, 7, 7, 8, 5], { threatCoverage: 3 });
    expect(averageScores([first, second])).toEqual(scores([7, 6.5, 7, 7.5, 5], { resilience: 9, threatCoverage: 3 }));
    expect(averageScores([first])).toEqual(first);
  });
});

describe('contested', () => {
  it('is a divergence above 15, not 15', () => {
    // Two judges 1.5 apart: 15 %. 1.6 apart: 16 %.
    expect(isContested(only(rowOf(6, 7.5)))).toBe(false);
    expect(isContested(only(rowOf(6, 7.6)))).toBe(true);
    expect(isContested(only(rowOf(6)))).toBe(false);
    expect(isContested(undefined)).toBe(false);
  });
});

describe('a far move', () => {
  it('is one of more than three points, up or down, on any one criterion', () => {
    const before = flat(5);
    expect(movedFar(before, scores([5, 5, 5, 5, 8]))).toBe(false);
    expect(movedFar(before, scores([5, 5, 5, 5, 8.5]))).toBe(true);
    expect(movedFar(before, scores([5, 1.9, 5, 5, 5]))).toBe(true);
    expect(movedFar(before, scores([2, 2, 2, 2, 2]))).toBe(false);
  });
});

describe('rounding', () => {
  it.each([
    [6.355705, 6.36],
    [24.494897, 24.49],
    [7, 7],
    [0.004, 0],
    [0.005, 0.01],
  ])('%p is shown as %p', (value, shown) => expect(rounded(value)).toBe(shown));
});
