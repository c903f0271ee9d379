import { makeTasks } from '../../quality/tasks/make-tasks';
import type { TaskKind } from '../../quality/tasks/task';
import { solveDates } from './solve-dates';
import { solveRow } from './solve-row';
import { solveStory } from './solve-story';

/** The answers that tasks expect, worked out once more from the words of the prompt, in another way. */

const questions = (kind: TaskKind, count: number) =>
  makeTasks({ seed: 4711, count, kinds: [kind] }).map(({ id, prompt, expected }) => ({
    id,
    question: prompt.split('\n\nThink')[0] ?? '',
    expected,
  }));

it('arithmetic: stories come to the number that is expected', () => {
  for (const { id, question, expected } of questions('arithmetic', 300)) {
    expect(`${id} Answer: ${solveStory(question)}`).toBe(`${id} ${expected}`);
  }
});

it('arithmetic: the harder, the more steps', () => {
  const steps = questions('arithmetic', 300).map(({ id, question }) => `${id[11]}: ${question.split('.').length}`);
  const least = (difficulty: number) =>
    Math.min(...steps.filter((one) => one.startsWith(String(difficulty))).map((one) => Number(one.slice(3))));
  expect([least(1), least(2), least(3)]).toEqual([6, 8, 13]);
});

it('calendar: walking from day to day comes to what is expected', () => {
  for (const { id, question, expected } of questions('calendar', 300)) {
    expect(`${id} Answer: ${solveDates(question)}`).toBe(`${id} ${expected}`);
  }
});

it('puzzles have exactly one solution, which is expected', () => {
  for (const { id, question, expected } of questions('puzzle', 90)) {
    expect([id, ...solveRow(question)]).toEqual([id, expected.replace('Answer: ', '')]);
  }
});
