import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { FinishedRun } from '../finished-run.ts';
import type { Judgement } from '../judging.ts';
import { Stopped } from '../service/client.ts';
import { type Setup, setupFlaw } from './setup.ts';

/** A line of `runs.jsonl`. A call that was begun and has no ending may have cost all that was reserved for it. */
type Line =
  | { readonly study: Setup; readonly taskIds: readonly string[] }
  | { readonly began: string; readonly reservedNanoUsd: number }
  | { readonly ended: string; readonly run: FinishedRun }
  | { readonly ended: string; readonly judgement: Judgement };

/** A study as its folder holds it. */
export interface Kept {
  readonly setup: Setup | undefined;
  /** In their order, on which it depends which half they are in. */
  readonly taskIds: readonly string[];
  readonly runs: ReadonlyMap<string, FinishedRun>;
  readonly judgements: ReadonlyMap<string, Judgement>;
  /** With what calls without an ending may have cost. */
  readonly spentNanoUsd: number;
}

const FILE = 'runs.jsonl';

/** Reads what a folder holds; whole lines only: the last may have been cut off. */
export function readKept(folder: string): Kept {
  const file = join(folder, FILE);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line, index) => lineOf(line, `line ${index + 1} of ${file}`));
  const runs = new Map(lines.flatMap((line) => ('run' in line ? [[line.ended, line.run] as const] : [])));
  const judgements = new Map(
    lines.flatMap((line) => ('judgement' in line ? [[line.ended, line.judgement] as const] : [])),
  );
  const open = new Map<string, number>();
  let spentNanoUsd = 0;
  for (const line of lines) {
    if ('began' in line) {
      // Begun again: what the first try may have cost stays.
      spentNanoUsd += open.get(line.began) ?? 0;
      open.set(line.began, line.reservedNanoUsd);
    } else if ('ended' in line) {
      spentNanoUsd += 'run' in line ? line.run.costNanoUsd : line.judgement.costNanoUsd;
      open.delete(line.ended);
    }
  }
  for (const reservedNanoUsd of open.values()) spentNanoUsd += reservedNanoUsd;
  const [first] = lines;
  if (first && !('study' in first)) throw new Stopped('failed', `${file} is not of a study: choose another folder`);
  return { setup: first?.study, taskIds: first?.taskIds ?? [], runs, judgements, spentNanoUsd };
}

function lineOf(text: string, place: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    throw new Stopped('failed', `${place} is damaged`);
  }
}

/** Writes a study's lines, each at once, so that none is lost whatever ends the process. */
export function openJournal(folder: string, setup: Setup, taskIds: readonly string[]) {
  mkdirSync(folder, { recursive: true });
  const kept = readKept(folder);
  const flaw = kept.setup && setupFlaw(kept.setup, setup);
  // One whose price was not agreed to binds nobody.
  const isEmpty = kept.runs.size === 0 && kept.spentNanoUsd === 0;
  if (flaw && !isEmpty)
    throw new Stopped('failed', `--out ${folder} holds another study (${flaw}): choose another folder`);
  const file = join(folder, FILE);
  const write = (line: Line): void => appendFileSync(file, `${JSON.stringify(line)}\n`);
  if (isEmpty) rmSync(file, { force: true });
  cutRest(file);
  if (isEmpty) write({ study: setup, taskIds });
  return {
    kept,
    began: (id: string, reservedNanoUsd: number) => write({ began: id, reservedNanoUsd }),
    ended: (id: string, run: FinishedRun) => write({ ended: id, run }),
    judged: (id: string, judgement: Judgement) => write({ ended: id, judgement }),
  };
}

export type Journal = ReturnType<typeof openJournal>;

/** Removes a line that was cut off, so that it does not stand before the next one. */
function cutRest(file: string): void {
  if (!existsSync(file)) return;
  const bytes = readFileSync(file);
  truncateSync(file, bytes.lastIndexOf(0x0a) + 1);
}
