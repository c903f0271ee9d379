/** The straight line through points `[x, y]`, by least squares. */
export function lineThrough(points) {
  const mean = (at) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const sum = (of) => points.reduce((total, [x, y]) => total + of(x - meanX, y - meanY), 0);
  const slope = sum((x, y) => x * y) / sum((x) => x * x);
  return { slope, base: meanY - slope * meanX };
}

/**
 * By which factor a unit costs more in the upper half of the points than in the lower, the middle one in both: the slopes
 * of the lines through each. 1 for a straight line, 2 and more where the cost is quadratic.
 */
export function slopeGrowth(points) {
  const half = Math.ceil(points.length / 2);
  return lineThrough(points.slice(-half)).slope / lineThrough(points.slice(0, half)).slope;
}

/** By which factor a cost that is to stay the same is higher in the upper half of the points than in the lower. */
export function levelGrowth(points) {
  const half = Math.floor(points.length / 2);
  const mean = (some) => some.reduce((sum, [, y]) => sum + y, 0) / some.length;
  return mean(points.slice(-half)) / mean(points.slice(0, half));
}
