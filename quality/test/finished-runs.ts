import type { FinishedRun } from '../study/finished-run.ts';

/** A run with these fields, right and free unless they say otherwise. */
export function finishedRun(fields: Partial<FinishedRun>): FinishedRun {
  const usual = {
    task: 't1',
    arm: 'single a',
    repeat: 1,
    sample: 0,
    answer: 'Answer: 1',
    isRight: true,
    hasForm: true,
  };
  const figures = {
    falseFacts: 0,
    costNanoUsd: 1_000_000,
    isPriced: true,
    calls: 1,
    firstTextMs: 100,
    durationMs: 200,
  };
  return { ...usual, ...figures, ...fields };
}
