import { parseWorkPlan } from './work-plan';

const TWO = {
  items: [
    { title: 'Berries', task: 'Say what a berry is.' },
    { title: 'Law', task: 'Name the ruling.' },
  ],
};

describe('parseWorkPlan', () => {
  it('reads items, decisions and checks', () => {
    const plan = { ...TWO, decisions: ['It is called a tomato.'], checks: ['It is short.', ' '] };
    const reply = `Plan:\n\`\`\`json\n${JSON.stringify(plan)}\n\`\`\``;
    expect(parseWorkPlan(reply, 2)).toEqual({ ...plan, checks: ['It is short.'] });
  });

  it.each([
    ['a bare text is title and task', 'Say what a berry is.', 'Say what a berry is.', 'Say what a berry is.'],
    ['a task without a title', { task: 'Name it.' }, 'Name it.', 'Name it.'],
    ['a title without a task', { title: 'Law' }, 'Law', 'Law'],
    ['a title of several lines', { title: ' a\n b\u2028c ', task: 't' }, 'a b c', 't'],
  ])('%s', (_, item, title, task) =>
    expect(parseWorkPlan(JSON.stringify({ items: [item] }), 1)?.items).toEqual([{ title, task }]),
  );

  it('leaves out items that are no work', () => {
    const reply = JSON.stringify({ items: [null, 7, {}, '', { title: 1, task: [] }, [], 'Real work.'] });
    expect(parseWorkPlan(reply, 3)?.items).toEqual([{ title: 'Real work.', task: 'Real work.' }]);
  });

  it('joins the items beyond the last implementer’s to the last one: nothing is left undone', () => {
    const reply = JSON.stringify({ items: [{ title: 'One', task: '1' }, { title: 'Two', task: '2' }, '3'] });
    expect(parseWorkPlan(reply, 2)?.items).toEqual([
      { title: 'One', task: '1' },
      { title: 'Two; 3', task: '2\n3' },
    ]);
    expect(parseWorkPlan(reply, 1)?.items).toEqual([{ title: 'One; Two; 3', task: '1\n2\n3' }]);
  });

  it('cuts a title at 80 characters, between characters (regression)', () => {
    const plan = parseWorkPlan(JSON.stringify({ items: [`${'x'.repeat(79)}🍅`, `${'y'.repeat(200)}`] }), 2);
    expect(plan?.items[0]?.title).toBe(`${'x'.repeat(79)}\ufffd`);
    expect(plan?.items[0]?.task).toBe(`${'x'.repeat(79)}🍅`);
    expect(plan?.items[1]?.title).toHaveLength(80);
    const joined = parseWorkPlan(JSON.stringify({ items: ['x'.repeat(60), 'y'.repeat(60)] }), 1);
    expect(joined?.items[0]?.title).toBe(`${'x'.repeat(60)}; ${'y'.repeat(18)}`);
  });

  it.each([
    ['prose', 'First this, then that.'],
    ['nothing', ''],
    ['no items', '{"items": []}'],
    ['items without work', '{"items": [{}, null]}'],
    ['items that are no list', '{"items": {"0": "work"}}'],
    ['prototype keys', '{"__proto__": {"items": ["work"]}, "constructor": {"items": ["work"]}}'],
  ])('has no plan in %s', (_, reply) => expect(parseWorkPlan(reply, 2)).toBeUndefined());

  it.each([
    ['absent', {}, []],
    ['a lone text', { checks: 'Be short.' }, ['Be short.']],
    ['numbers', { checks: [1, null, true] }, []],
    ['objects', { checks: [{ check: 'Be short.', why: 'It is late.' }] }, ['Be short. — It is late.']],
  ])('takes checks that are %s', (_, fields, checks) =>
    expect(parseWorkPlan(JSON.stringify({ ...TWO, ...fields }), 2)?.checks).toEqual(checks),
  );
});
