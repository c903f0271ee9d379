import { bordaPoints } from './competitive-refinement';

describe('bordaPoints', () => {
  it('gives best 1, worst 0, evenly between, summed over ballots', () => {
    // p1 > p2 > p3 gives 1, 0.5, 0; p2 > p3 gives 1, 0; p3 alone gives 1.
    const points = bordaPoints([['p1', 'p2', 'p3'], ['p2', 'p3'], ['p3']]);
    expect([...points].sort()).toEqual([
      ['p1', 1],
      ['p2', 1.5],
      ['p3', 1],
    ]);
  });

  it('counts a name once a ballot', () => expect(bordaPoints([['p1', 'p1', 'p2']]).get('p1')).toBe(1));

  it('is empty without ballots', () => expect(bordaPoints([]).size).toBe(0));
});
