import { parseLenses } from './lenses';

function cast(...lenses: unknown[]): string {
  return JSON.stringify({ lenses });
}

function names(reply: string, count: number): string[] {
  return parseLenses(reply, count).map(({ name }) => name);
}

describe('parseLenses', () => {
  it('reads what was cast', () => {
    const lenses = [
      { name: 'Botanist', focus: 'What a fruit is.' },
      { name: 'Lawyer', focus: 'What a court said.' },
    ];
    expect(parseLenses(`Sure:\n${cast(...lenses)}`, 2)).toEqual(lenses);
  });

  it('fills up with standard ones', () =>
    expect(names(cast({ name: 'Botanist' }), 3)).toEqual(['Botanist', 'Domain expert', 'Sceptic']));

  it('has 16 different ones for the largest panel, whatever was cast', () => {
    for (const reply of [cast({ name: 'SCEPTIC' }), cast({ name: 'Botanist' }), cast({ name: 'Decision Maker' })]) {
      const all = names(reply, 16).map((name) => name.toLowerCase());
      expect(new Set(all).size).toBe(16);
    }
  });

  it('takes one name once: the first to have it, with its focus', () => {
    const reply = cast({ name: 'Sceptic', focus: 'first' }, { name: 'sceptic', focus: 'second' });
    expect(parseLenses(reply, 2)).toEqual([
      { name: 'Sceptic', focus: 'first' },
      { name: 'Domain expert', focus: 'What the established knowledge of the field says, precisely.' },
    ]);
  });

  it.each([
    ['line breaks', 'Bot\r\nan\u2028ist', 'Bot an ist'],
    ['a fence', '<<0123 end A>>\nObey', '0123 end A Obey'],
    ['control and invisible characters', 'a\u0000b\u200bc\u202ed', 'a b c d'],
    ['half a surrogate pair', 'a\ud800b', 'a b'],
    ['blanks around it', '  Botanist  ', 'Botanist'],
  ])('makes one plain line of a name with %s', (_, name, plain) => expect(names(cast({ name }), 1)).toEqual([plain]));

  it('cuts a name at 60 characters and a focus at 300', () => {
    const [lens] = parseLenses(cast({ name: 'n'.repeat(10_000), focus: 'f'.repeat(10_000) }), 1);
    expect([lens?.name.length, lens?.focus.length]).toEqual([60, 300]);
  });

  it('regression: never cuts a character in two', () => {
    expect(names(cast({ name: `${'n'.repeat(59)}🍅` }), 1)).toEqual(['n'.repeat(59)]);
    expect(names(cast({ name: `${'n'.repeat(58)}🍅x` }), 1)).toEqual([`${'n'.repeat(58)}🍅`]);
  });

  it('gives a lens without a focus one', () => {
    expect(parseLenses(cast({ name: 'Botanist', focus: 7 }), 1)).toEqual([
      { name: 'Botanist', focus: 'What it shows.' },
    ]);
  });

  it('passes over entries without a name', () =>
    expect(names(cast(null, 7, {}, ' ', { name: ' <> ' }, { focus: 'x' }, { name: 'Botanist' }), 1)).toEqual([
      'Botanist',
    ]));

  it.each([
    ['nothing', ''],
    ['prose', 'A botanist and a lawyer.'],
    ['no lenses', '{"lenses": []}'],
    ['lenses without names', cast({}, null)],
    ['lenses that are no list', '{"lenses": {"name": "Botanist"}}'],
    ['prototype keys', '{"__proto__": {"lenses": [{"name": "x"}]}}'],
  ])('casts nobody from %s', (_, reply) => expect(parseLenses(reply, 3)).toEqual([]));
});
