import { createCatalog } from '../models/catalog';
import { labelShuffled, letterLabel } from './blind-labels';

const { modelOf } = createCatalog();
const items = ['p1', 'p2', 'p3'].map((id) => ({ seat: { id, model: modelOf(id), label: id }, text: `text of ${id}` }));

function orderFor(requestId: string, reader = 'arbiter', step = 'final'): string {
  return labelShuffled(items, { requestId, reader, step })
    .map(({ seat }) => seat.id)
    .join();
}

describe('labelShuffled', () => {
  it('gives the same order for the same key and labels by position', () => {
    const labelled = labelShuffled(items, { requestId: 'x', reader: 'p1', step: 'r2' });
    expect(labelled).toEqual(labelShuffled(items, { requestId: 'x', reader: 'p1', step: 'r2' }));
    expect(labelled.map(({ label }) => label)).toEqual(['A', 'B', 'C']);
    expect(labelled.map(({ text }) => text).sort()).toEqual(items.map(({ text }) => text));
  });

  it('is balanced: over 6,000 requests each of the six orders comes up 1,000 times, give or take five deviations', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 6_000; n += 1)
      counts.set(orderFor(`request-${n}`), (counts.get(orderFor(`request-${n}`)) ?? 0) + 1);
    expect(counts.size).toBe(6);
    // Binomial(6000, 1/6): mean 1000, deviation 28.9.
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(145);
  });

  it('gives readers and steps orders of their own', () => {
    const same = (a: (n: number) => string, b: (n: number) => string): number =>
      Array.from({ length: 600 }, (_, n) => n).filter((n) => a(n) === b(n)).length;
    // Independent permutations of three agree one time in six: 100 of 600, deviation 9.1.
    expect(
      Math.abs(
        same(
          (n) => orderFor(`${n}`, 'p1'),
          (n) => orderFor(`${n}`, 'p2'),
        ) - 100,
      ),
    ).toBeLessThan(50);
    expect(
      Math.abs(
        same(
          (n) => orderFor(`${n}`, 'p1', 'r2'),
          (n) => orderFor(`${n}`, 'p1', 'r3'),
        ) - 100,
      ),
    ).toBeLessThan(50);
  });
});

describe('letterLabel', () => {
  it.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [51, 'AZ'],
    [52, 'BA'],
  ])('labels %d as %s', (index, label) => expect(letterLabel(index)).toBe(label));
});
