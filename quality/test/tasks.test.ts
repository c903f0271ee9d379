import { makeTasks } from '../tasks/make-tasks.ts';
import { ELEMENTS, SPELLING, STATES } from '../tasks/recall.ts';
import { TASK_KINDS, type Task } from '../tasks/task.ts';

/** Every task tells its right answer from its wrong ones, and the same seed makes the same tasks. */

const COUNT = 465;
const SEED = 18;

const tasks = makeTasks({ seed: SEED, count: COUNT });
const asPlain = (all: readonly Task[]) => all.map(({ check: _, ...rest }) => rest);

it.each(TASK_KINDS)('%s: what is expected is right and in its form, each other answer is wrong', async (kind) => {
  for (const { id, expected, wrong, check } of tasks.filter((task) => task.kind === kind)) {
    expect({ id, ...(await check(expected)) }).toMatchObject({ id, isRight: true, hasForm: true, falseFacts: 0 });
    expect({ id, different: new Set(wrong).size }).toEqual({ id, different: wrong.length });
    expect(wrong.length).toBeGreaterThan(1);
    for (const answer of wrong) expect({ id, answer, ...(await check(answer)) }).toMatchObject({ id, isRight: false });
  }
});

it('kinds and difficulties come as often as one another, and no prompt comes twice', () => {
  const counts = [...Map.groupBy(tasks, ({ kind, difficulty }) => `${kind} ${difficulty}`).values()];
  const sizes = counts.map(({ length }) => length);
  expect([sizes.length, Math.max(...sizes) - Math.min(...sizes)]).toEqual([30, 1]);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(COUNT);
  expect(new Set(tasks.map(({ prompt }) => prompt)).size).toBe(COUNT);
});

it('the same seed makes the same tasks, alone or among others; another seed makes others', () => {
  expect(asPlain(makeTasks({ seed: SEED, count: COUNT }))).toEqual(asPlain(tasks));
  const byId = new Map(asPlain(tasks).map((task) => [task.id, task]));
  const alone = asPlain(makeTasks({ seed: SEED, count: 12, kinds: ['calendar', 'calendar'] }));
  expect(alone).toEqual(alone.map(({ id }) => byId.get(id)));
  const prompts = new Set(tasks.map(({ prompt }) => prompt));
  const others = makeTasks({ seed: SEED + 1, count: 30, kinds: ['arithmetic', 'calendar', 'puzzle'] });
  expect(others.filter(({ prompt }) => prompts.has(prompt))).toEqual([]);
});

it('lists are in their order', () => {
  const symbols =
    'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe';
  const latin = new Map(Object.entries({ Na: 's', K: 'p', Fe: 'i', Ag: 's', Sn: 't', Sb: 'a' }));
  const initials = (items: readonly string[]) => items.map((item) => item.charAt(0)).join('');
  const expected = symbols.split(' ').map((symbol) => latin.get(symbol) ?? symbol.charAt(0).toLowerCase());
  expect(initials(ELEMENTS)).toBe(expected.join(''));
  expect(initials(SPELLING)).toBe('abcdefghijklmnopqrstuvwxyz');
  expect([STATES.length, STATES]).toEqual([50, [...new Set(STATES)].sort()]);
});

it.each([
  ['Magnesium\nAluminum\nSilicon', { isRight: true, hasForm: true, falseFacts: 0 }],
  ['1. Magnesium\n2. Aluminium\n3. Silicon', { isRight: true, hasForm: false, falseFacts: 0 }],
  ['Magnesium\nSilicon\nAluminium', { isRight: true, hasForm: true, falseFacts: 0 }],
  ['Magnesium\nAluminium', { isRight: false, hasForm: false, falseFacts: 0 }],
  ['Magnesium\nAluminium\nPhosphorus', { isRight: false, hasForm: true, falseFacts: 1 }],
  ['Iron\nGold\nUnobtainium', { isRight: false, hasForm: true, falseFacts: 3 }],
  ['I cannot do that.', { isRight: false, hasForm: false, falseFacts: 1 }],
])('of the elements from 12 to 14, %j', async (answer, found) => {
  const task = makeTasks({ seed: 5, count: 1_200, kinds: ['recall'] }).find(({ prompt }) =>
    prompt.includes('the atomic numbers from 12 to 14,'),
  ) as Task;
  const checked = await task.check(answer);
  expect(checked).toMatchObject(found);
  // Lists of the same names are one vote.
  expect(checked.comesTo === (await task.check(task.expected)).comesTo).toBe(found.isRight);
});
