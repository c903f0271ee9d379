import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FinishedRun } from '../study/finished-run.ts';

/** A run with these fields, right and cheap unless they say otherwise. */
export function finishedRun(fields: Partial<FinishedRun>): FinishedRun {
  return {
    ...{ task: 't1', arm: 'single a', repeat: 1, sample: 0, answer: 'Answer: 1', isRight: true, hasForm: true },
    ...{ falseFacts: 0, costNanoUsd: 1_000_000, isPriced: true, calls: 1, firstTextMs: 100, durationMs: 200 },
    ...fields,
  };
}

/** A new empty directory, which goes at the end of the block. */
export function temporaryDirectory(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'ensemble-quality-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
