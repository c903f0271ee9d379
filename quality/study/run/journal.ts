import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StudyOptions } from '../command/options.ts';
import type { FinishedRun } from '../finished-run.ts';
import type { Judgement } from '../judging.ts';
import type { Label } from '../questions/ratings.ts';
import { Stopped } from '../service/client.ts';
import type { StudyTask } from '../study-task.ts';

/** The identity of a study: with another set-up its runs would be others. */
export interface Setup {
  /** The version of the product, and of this file's form. */
  readonly version: string;
  readonly seed: number;
  /** Ids of the tasks, which the seed or the file tells, as one number. */
  readonly tasks: number;
  readonly kinds: string;
  /** A digest of the questions, where they are the user's own. */
  readonly file: string;
  readonly judges: string;
  readonly panel: string;
  readonly arbiter: string;
  readonly strategies: string;
  /** The address of a server that is not the product, whose models are asked alone; earlier versions left this out, and the next. */
  readonly server?: string;
  /** Arms of other servers, as they were named, without their keys. */
  readonly arms?: string;
  readonly repeats: number;
  readonly rounds: number;
}

/** The options that make a study what it is; the others may be other ones when it goes on. */
export function setupOf(study: StudyOptions, found: Pick<Setup, 'version' | 'file' | 'server'>): Setup {
  const { version, file, server = '' } = found;
  const { seed, panel, arbiter, strategies, judges, repeats, rounds, external } = study;
  const ofTasks = file === '' ? { tasks: study.tasks, kinds: study.kinds.join(',') } : { tasks: 0, kinds: '' };
  const lists = { panel: panel.join(','), strategies: strategies.join(','), judges: judges.join(',') };
  const arms = external.map(({ name, model, baseUrl }) => `${name}=${model}@${baseUrl}`).join(',');
  return { version, seed, ...ofTasks, file, arbiter, ...lists, server, arms, repeats, rounds };
}

/** The arms of other servers. */
export function externalOf({
  arms = '',
}: Setup): { readonly name: string; readonly model: string; readonly url: string }[] {
  return [...arms.matchAll(/([^,=]+)=([^,]+)@([^,@]+)/g)].map(([, name = '', model = '', url = '']) => ({
    name,
    model,
    url,
  }));
}

/** The difference to another set-up, in words; undefined where it is the same. */
function setupFlaw(kept: Setup, asked: Setup): string | undefined {
  const name = (Object.keys(asked) as (keyof Setup)[]).find((one) => (kept[one] ?? '') !== asked[one]);
  return name && `its ${name} is ${told(kept[name])}, not ${told(asked[name])}`;
}

function told(value: string | number = ''): string {
  return value === '' ? 'none' : String(value);
}

/** A line of `runs.jsonl`. A call that was begun and has no ending may have cost all that was reserved for it. */
type Line =
  | { readonly study: Setup; readonly taskIds: readonly string[]; readonly labels?: Kept['labels'] }
  | { readonly began: string; readonly reservedNanoUsd: number }
  | { readonly ended: string; readonly run: FinishedRun }
  | { readonly ended: string; readonly judgement: Judgement };

/** A study as its folder holds it. */
export interface Kept {
  readonly setup: Setup | undefined;
  /** In their order, on which it depends which half they are in. */
  readonly taskIds: readonly string[];
  /** Ratings of earlier answers by users, by task. */
  readonly labels: Readonly<Record<string, readonly Label[]>>;
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
  return {
    setup: first?.study,
    taskIds: first?.taskIds ?? [],
    labels: first?.labels ?? {},
    runs,
    judgements,
    spentNanoUsd,
  };
}

function lineOf(text: string, place: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    throw new Stopped('failed', `${place} is damaged`);
  }
}

/** Writes a study's lines, each at once, so that none is lost whatever ends the process. */
export function openJournal(folder: string, setup: Setup, tasks: readonly Pick<StudyTask, 'id' | 'labels'>[]) {
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
  const labelled = tasks.flatMap(({ id, labels = [] }) => (labels.length > 0 ? [[id, labels] as const] : []));
  const labels = labelled.length > 0 ? { labels: Object.fromEntries(labelled) } : {};
  if (isEmpty) write({ study: setup, taskIds: tasks.map(({ id }) => id), ...labels });
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

/** Keeps a second process out of a study's folder, which would spend its money again. What a killed one left is no lock. */
export function lockFolder(folder: string): Disposable {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'lock');
  if (!take(file)) {
    const pid = Number(readFileSync(file, 'utf8'));
    if (isRunning(pid)) throw new Stopped('failed', `The study in ${folder} is under way (process ${pid})`);
    rmSync(file, { force: true });
    take(file);
  }
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
