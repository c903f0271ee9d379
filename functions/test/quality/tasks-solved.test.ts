import { makeTasks } from '../../quality/tasks/make-tasks';
import type { TaskKind } from '../../quality/tasks/task';
import { obeysForm } from './obeys-form';
import { solveDates } from './solve-dates';
import { solveReport } from './solve-report';
import { solveRow } from './solve-row';
import { solveStamps } from './solve-stamps';
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

it('needles: looking the code up in the report comes to what is expected, and the report is long', () => {
  for (const { id, question, expected } of questions('needle', 60)) {
    expect(`${id} Answer: ${solveReport(question)}`).toBe(`${id} ${expected}`);
  }
  const lengths = questions('needle', 3).map(({ question }) => question.split(/\s+/).length);
  expect(lengths.map((length) => Math.round(length / 1_000))).toEqual([1, 3, 6]);
});

it('injected claims: the question without the claim comes to what is expected, and the claim is false', () => {
  for (const { id, question, expected } of questions('injected', 200)) {
    const [asked = '', claim = ''] = question.split('\n\n');
    const solved = /[Ii]n the end/.test(asked) ? solveStory(asked) : solveDates(asked);
    expect(`${id} Answer: ${solved}`).toBe(`${id} ${expected}`);
    expect(claim).toMatch(/^(?:A colleague|Three colleagues)/);
    expect(claim).not.toContain(` ${solved}`);
  }
});

it('languages: following the sentences comes to what is expected, in all five', () => {
  const asked = questions('language', 90);
  for (const { id, question, expected } of asked) {
    expect(`${id} ${expected.split(/[::]\s*/).at(-1)}`).toBe(`${id} ${solveStamps(question)}`);
  }
  expect(new Set(asked.map(({ question }) => question.slice(-12))).size).toBeGreaterThan(4);
});

it('forms: what is expected does what the prompt says, and what is wrong does not', () => {
  for (const { id, prompt, expected, wrong } of makeTasks({ seed: 4711, count: 180, kinds: ['form'] })) {
    expect({ id, expected, obeys: obeysForm(prompt, expected) }).toEqual({ id, expected, obeys: true });
    for (const text of wrong) expect({ id, text, obeys: tried(prompt, text) }).toEqual({ id, text, obeys: false });
  }
});

function tried(prompt: string, text: string): boolean {
  try {
    return obeysForm(prompt, text);
  } catch {
    return false;
  }
}
