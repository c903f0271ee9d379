import { makeTasks } from '../tasks/make-tasks.ts';
import { TASK_KINDS, type Task } from '../tasks/task.ts';

/** Every task tells its right answer from its wrong ones, and the same seed makes the same tasks. */

const COUNT = 465;
const SEED = 18;

const tasks = makeTasks({ seed: SEED, count: COUNT });
const asPlain = (all: readonly Task[]) => all.map(({ check: _, ...rest }) => rest);

it.each(TASK_KINDS)('%s: what is expected is right and in its form', async (kind) => {
  for (const { id, expected, check } of tasks.filter((task) => task.kind === kind)) {
    expect({ id, ...(await check(expected)) }).toMatchObject({ id, isRight: true, hasForm: true, falseFacts: 0 });
  }
});

it.each(TASK_KINDS)('%s: each wrong answer is wrong, and no two are the same', async (kind) => {
  for (const { id, wrong, check } of tasks.filter((task) => task.kind === kind)) {
    expect({ id, isSeveral: wrong.length > 1, different: new Set(wrong).size }).toEqual({
      id,
      isSeveral: true,
      different: wrong.length,
    });
    for (const answer of wrong) expect({ id, answer, ...(await check(answer)) }).toMatchObject({ id, isRight: false });
  }
});

it('kinds and difficulties come as often as one another', () => {
  const count = (of: (task: Task) => unknown) => [...Map.groupBy(tasks, of).values()].map(({ length }) => length);
  for (const counts of [
    count(({ kind }) => kind),
    count(({ difficulty }) => difficulty),
    count(({ kind, difficulty }) => `${kind} ${difficulty}`),
  ]) {
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  }
});

it('no prompt and no id comes twice', () => {
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(COUNT);
  expect(new Set(tasks.map(({ prompt }) => prompt)).size).toBe(COUNT);
});

it('the same seed makes the same tasks, alone or among others; another seed makes others', () => {
  expect(asPlain(makeTasks({ seed: SEED, count: COUNT }))).toEqual(asPlain(tasks));
  const byId = new Map(asPlain(tasks).map((task) => [task.id, task]));
  const alone = asPlain(makeTasks({ seed: SEED, count: 12, kinds: ['calendar'] }));
  expect(alone).toEqual(alone.map(({ id }) => byId.get(id)));
  const prompts = new Set(tasks.map(({ prompt }) => prompt));
  const others = makeTasks({ seed: SEED + 1, count: 30, kinds: ['arithmetic', 'calendar', 'puzzle'] });
  expect(others.filter(({ prompt }) => prompts.has(prompt))).toEqual([]);
});

it('only the kinds that are named are made', () => {
  const kinds = makeTasks({ seed: SEED, count: 7, kinds: ['puzzle', 'puzzle'] }).map(({ kind }) => kind);
  expect(kinds).toEqual(Array(7).fill('puzzle'));
  expect(makeTasks({ seed: SEED, count: 0 })).toEqual([]);
});
