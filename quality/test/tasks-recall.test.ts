import { makeTasks } from '../tasks/make-tasks.ts';
import { FACT_LISTS } from '../tasks/recall/facts.ts';
import { readList } from '../tasks/recall/read-list.ts';
import type { Task } from '../tasks/task.ts';

/** Lists: the facts are true, and a list counts however it is written. */

const itemsOf = (name: string): readonly string[] => FACT_LISTS.find((list) => list.name === name)?.items ?? [];
const initials = (name: string): string =>
  itemsOf(name)
    .map((item) => item[0])
    .join('');

describe('the facts', () => {
  it('elements stand in the order of their symbols', () => {
    const symbols =
      'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe';
    const latin = new Map(Object.entries({ Na: 'S', K: 'P', Fe: 'I', Ag: 'S', Sn: 'T', Sb: 'A' }));
    const expected = symbols.split(' ').map((symbol) => (latin.get(symbol) ?? symbol.charAt(0)).toLowerCase());
    expect(initials('chemical elements')).toBe(expected.join(''));
    expect(itemsOf('chemical elements')[25]).toBe('iron');
    expect(itemsOf('chemical elements')[46]).toBe('silver');
  });

  it('words of the spelling alphabet begin with their letters', () => {
    expect(initials('spelling words')).toBe('abcdefghijklmnopqrstuvwxyz');
  });

  it('Greek letters stand in the order of α to ω', () => {
    expect(initials('Greek letters')).toBe('abgdezetiklmnxoprstupcpo');
  });

  it('the fifty states are sorted', () => {
    expect(itemsOf('states')).toHaveLength(50);
    expect(itemsOf('states')).toEqual([...new Set(itemsOf('states'))].sort());
  });

  it('presidents stand in the order of their first days in office', () => {
    const since = { roosevelt: 1933, truman: 1945, eisenhower: 1953, kennedy: 1961, johnson: 1963, nixon: 1969 };
    const later = { ford: 1974, carter: 1977, reagan: 1981, bush: 1989, clinton: 1993 };
    const names = Object.entries({ ...since, ...later }).toSorted(([, one], [, other]) => one - other);
    expect(itemsOf('presidents').map((item) => item.split(' ').at(-1))).toEqual(names.map(([name]) => name));
  });
});

describe('a list', () => {
  it.each([
    ['Iron\nCobalt'],
    ['iron\n\ncobalt\n'],
    ['1. Iron\n2. Cobalt'],
    ['- **Iron**\n- **Cobalt**'],
    ['• Iron (Fe)\n• Cobalt (Co)'],
    ['1) Iron, symbol Fe\n2) Cobalt – 27'],
    ['Iron.\nCobalt.'],
    ['```\niron\ncobalt\n```'],
  ])('%j is iron and cobalt', (text) => {
    expect(readList(text)).toEqual({ items: ['iron', 'cobalt'], otherLines: 0 });
  });

  it('an introduction and a remark are no items', () => {
    const text = 'Here are the elements:\niron\ncobalt\nThese two lie side by side in the fourth period of the table.';
    expect(readList(text)).toEqual({ items: ['iron', 'cobalt'], otherLines: 2 });
  });
});

describe('what is found in an answer', () => {
  const task = makeTasks({ seed: 5, count: 1_200, kinds: ['recall'] }).find(({ prompt }) =>
    prompt.startsWith('List the chemical elements with the atomic numbers from 12 to 14,'),
  ) as Task;

  it.each([
    ['Magnesium\nAluminium\nSilicon', { isRight: true, hasForm: true, falseFacts: 0 }],
    ['Magnesium\nAluminum\nSilicon', { isRight: true, hasForm: true, falseFacts: 0 }],
    ['1. Magnesium\n2. Aluminium\n3. Silicon', { isRight: true, hasForm: false, falseFacts: 0 }],
    ['Magnesium\nSilicon\nAluminium', { isRight: true, hasForm: true, falseFacts: 0 }],
    ['Magnesium\nAluminium', { isRight: false, hasForm: false, falseFacts: 0 }],
    ['Magnesium\nAluminium\nPhosphorus', { isRight: false, hasForm: true, falseFacts: 1 }],
    ['Magnesium\nAluminium\nSilicon\nPhosphorus', { isRight: false, hasForm: false, falseFacts: 1 }],
    ['Iron\nGold\nUnobtainium', { isRight: false, hasForm: true, falseFacts: 3 }],
    ['', { isRight: false, hasForm: false, falseFacts: 0 }],
    ['I cannot do that.', { isRight: false, hasForm: false, falseFacts: 1 }],
  ])('%j', async (answer, found) => {
    expect(await task.check(answer)).toMatchObject(found);
  });

  it('lists of the same names are one vote, others are another', async () => {
    const comesTo = async (answer: string) => (await task.check(answer)).comesTo;
    const plain = await comesTo('Magnesium\nAluminium\nSilicon');
    expect(await comesTo('1. Silicon\n2. Aluminum\n3. Magnesium')).toBe(plain);
    expect(await comesTo('Sodium\nAluminium\nSilicon')).not.toBe(plain);
  });
});
