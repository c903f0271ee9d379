import { labelShuffled, letterLabel } from './blind-labels';

const ITEMS = ['p1', 'p2', 'p3'].map((id) => ({ id }));

function orderFor(requestId: string, reader = 'arbiter', step = 'final'): string {
  return labelShuffled(ITEMS, { requestId, reader, step })
    .map(({ id }) => id)
    .join();
}

it('the same key gives the same order, labelled by place', () => {
  const key = { requestId: 'x', reader: 'p1', step: 'r2' };
  expect(labelShuffled(ITEMS, key)).toEqual(labelShuffled(ITEMS, key));
  expect(labelShuffled(ITEMS, key).map(({ label }) => label)).toEqual(['A', 'B', 'C']);
});

it('over 6,000 requests each of the six orders comes up 1,000 times, give or take five deviations', () => {
  const orders = Map.groupBy(
    Array.from({ length: 6_000 }, (_, n) => orderFor(`request-${n}`)),
    (order) => order,
  );
  expect(orders.size).toBe(6);
  // Binomial(6000, 1/6): mean 1000, deviation 28.9.
  for (const { length } of orders.values()) expect(Math.abs(length - 1_000)).toBeLessThan(145);
});

it.each([
  ['readers', 'p1', 'r2', 'p2', 'r2'],
  ['steps', 'p1', 'r2', 'p1', 'r3'],
])('%s have orders of their own', (_, reader, step, otherReader, otherStep) => {
  const numbers = Array.from({ length: 600 }, (_, n) => `${n}`);
  const same = numbers.filter((n) => orderFor(n, reader, step) === orderFor(n, otherReader, otherStep)).length;
  // Independent permutations of three agree one time in six: 100 of 600, deviation 9.1.
  expect(Math.abs(same - 100)).toBeLessThan(50);
});

it('labels go on behind Z', () => {
  expect([0, 25, 26, 51, 52].map(letterLabel)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA']);
});
