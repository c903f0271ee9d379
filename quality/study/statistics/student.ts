/** Of the normal distribution, for 95 %. */
export const NORMAL = 1.959963984540054;
/** Of Student's, for 1 to 5 degrees of freedom, where the expansion below is too coarse. */
const FEW = [12.706205, 4.302653, 3.182446, 2.776445, 2.570582];

/** The quantile of Student's distribution for a two-sided 95 %, by the expansion of Cornish and Fisher. */
export function student95(degreesOfFreedom: number): number {
  const few = FEW[degreesOfFreedom - 1];
  if (few !== undefined) return few;
  const z = NORMAL;
  const terms = [
    z,
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return terms.reduce((sum, term, power) => sum + term / degreesOfFreedom ** power, 0);
}
