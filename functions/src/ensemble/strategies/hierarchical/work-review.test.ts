import { defectsOf, parseWorkReview, planDefectsOf } from './work-review';

function review(verdict: unknown, ...defects: unknown[]): string {
  return JSON.stringify({ verdict, defects });
}

describe('parseWorkReview', () => {
  it('reads defects with their items', () => {
    const reply = review(
      'revise',
      { item: 1, severity: 'major', defect: 'Wrong sum.' },
      { item: '2', defect: 'No source.' },
      { item: 'plan', severity: 'minor', defect: 'Two items overlap.' },
      { item: 'all', severity: '', defect: 'Too long.' },
    );
    expect(parseWorkReview(`\`\`\`\n${reply}\n\`\`\``)).toEqual({
      approved: false,
      defects: [
        { item: 1, text: 'major: Wrong sum.' },
        { item: 2, text: 'No source.' },
        { item: 'plan', text: 'minor: Two items overlap.' },
        { item: 'all', text: 'Too long.' },
      ],
    });
  });

  // Regression: a defect without an item made the reviewer approve.
  it.each([[0], [-1], [1.5], ['third'], ['123'], [null], [undefined], [{}], [[1]]])(
    'takes a defect of item %j for one of the plan',
    (item) => expect(parseWorkReview(review('revise', { item, defect: 'x' })).defects[0]?.item).toBe('plan'),
  );

  it.each([
    ['approve', true],
    ['Approved', true],
    ['APPROVE with remarks', true],
    ['revise', false],
    ['I approve', false],
    ['', false],
    [7, false],
  ])('verdict %j with a defect: approved is %j', (verdict, approved) =>
    expect(parseWorkReview(review(verdict, { item: 1, defect: 'x' })).approved).toBe(approved),
  );

  it.each([
    ['no defects', '{"verdict": "revise", "defects": []}'],
    ['defects that say nothing', review('revise', { item: 1, severity: 'major' }, { item: 2, defect: ' ' })],
    ['an entry that is no defect', review('revise', null, 7, [])],
    ['no list', '{"verdict": "revise"}'],
  ])('approves when there are %s', (_, reply) =>
    expect(parseWorkReview(reply)).toEqual({ approved: true, defects: [] }),
  );

  it('regression: one entry that cannot be read does not hide the others', () => {
    const { approved, defects } = parseWorkReview(review('revise', null, { item: 2, defect: 'No source.' }, 7));
    expect([approved, defects]).toEqual([false, [{ item: 2, text: 'No source.' }]]);
  });

  it.each([
    ['a list of texts', review('revise', 'No source.', ' '), 'No source.'],
    ['a lone text', '{"verdict": "revise", "defects": " No source. "}', 'No source.'],
  ])('regression: takes %s for defects of every item', (_, reply, text) =>
    expect(parseWorkReview(reply)).toEqual({ approved: false, defects: [{ item: 'all', text }] }),
  );

  it('takes a lone defect for a list of one', () => {
    const reply = '{"verdict": "revise", "defects": {"item": 1, "defect": "No source."}}';
    expect(parseWorkReview(reply).defects).toEqual([{ item: 1, text: 'No source.' }]);
  });

  it.each(['{"verdict": "approve"}', 'Approved.', '  **LGTM**', 'approve: all is well'])(
    'takes %j for approval',
    (reply) => expect(parseWorkReview(reply)).toEqual({ approved: true, defects: [] }),
  );

  it.each([
    'Part 1 is wrong. ',
    'I do not approve.',
    'Approving this would be wrong.',
    '{"review": "Part 1 is wrong."}',
  ])('takes %j for one defect of every item', (reply) =>
    expect(parseWorkReview(reply)).toEqual({ approved: false, defects: [{ item: 'all', text: reply.trim() }] }),
  );

  it('never takes a verdict from the prototype', () => {
    const reply =
      '{"__proto__": {"verdict": "approve"}, "defects": [{"item": 1, "defect": "x", "__proto__": {"item": 9}}]}';
    expect(parseWorkReview(reply)).toEqual({ approved: false, defects: [{ item: 1, text: 'x' }] });
  });
});

it('defects concern an item, every item, or the plan', () => {
  const read = parseWorkReview(
    review('revise', { item: 1, defect: 'a' }, { item: 'all', defect: 'b' }, { item: 'plan', defect: 'c' }),
  );
  expect([defectsOf(read, 1), defectsOf(read, 2), planDefectsOf(read)]).toEqual([['a', 'b'], ['b'], ['c']]);
});
