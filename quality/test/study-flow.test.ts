import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkOnBoth, gateFigures, sameAnswer } from '../study/flow/gate-model.ts';
import { gateTables } from '../study/flow/gate-tables.ts';

it('prints the tables that stand in the documents', () => {
  const page = readFileSync(join(__dirname, '../../docs/quality.md'), 'utf8');
  expect(page).toContain(gateTables());
});

it('has the odds of two members who are independent', () => {
  const { calls } = gateFigures({ accuracies: [0.8, 0.8, 0.8], correlation: 0, knows: false }, sameAnswer);
  // They agree in 0.64 of cases on what is right, and in 3 · (0.2 / 3)² on something wrong: two calls then, else four.
  const agree = 0.64 + 0.04 / 3;
  expect(calls).toBeCloseTo(100 * (agree * 0.5 + (1 - agree)));
});

it('loses what only the others know, beside an arbiter who knows it', () => {
  const { lost } = gateFigures({ accuracies: [0, 0, 1], correlation: 0, knows: true }, sameAnswer);
  expect(lost).toBeCloseTo(100 / 3);
});

it('loses nothing where all err together, nor by a check that no wrong draft passes', () => {
  const odds = { accuracies: [0.5, 0.5, 0.5, 0.5], knows: false };
  const together = gateFigures({ ...odds, correlation: 1 }, sameAnswer);
  expect(together.lost).toBeCloseTo(0);
  expect(together.calls).toBeCloseTo(40);
  expect(gateFigures({ ...odds, correlation: 0 }, checkOnBoth(0)).lost).toBeCloseTo(0);
});
