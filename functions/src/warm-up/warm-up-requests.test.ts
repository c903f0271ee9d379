import { inTurn } from './warm-up-requests';

describe('inTurn', () => {
  it('spreads every kind evenly, so that a warm-up that is cut short has had some of each', () => {
    const kinds = inTurn();
    const totals = new Map<string, number>();
    for (const kind of kinds) totals.set(kind, (totals.get(kind) ?? 0) + 1);
    expect([...totals.keys()].toSorted()).toEqual(['ensemble', 'longStream', 'priced', 'streamed', 'unpriced']);
    const soFar = new Map<string, number>();
    for (const [index, kind] of kinds.entries()) {
      soFar.set(kind, (soFar.get(kind) ?? 0) + 1);
      const share = (index + 1) / kinds.length;
      for (const [each, total] of totals)
        expect(Math.abs((soFar.get(each) ?? 0) - share * total)).toBeLessThanOrEqual(1.5);
    }
  });
});
