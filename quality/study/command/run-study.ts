import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };
import { makeTasks } from '../../tasks/make-tasks.ts';
import { readQuestions } from '../questions/questions.ts';
import { Gate, Wallet } from '../run/gate.ts';
import { type Journal, lockFolder, openJournal, setupOf } from '../run/journal.ts';
import { dearestRuns, playStudy, runName } from '../run/play-study.ts';
import { askJudgePrices, askPrices, forecast } from '../run/prices.ts';
import { createClient, Stopped } from '../service/client.ts';
import { startOwnService } from '../service/own-service.ts';
import type { StudyTask } from '../study-task.ts';
import type { StudyOptions } from './options.ts';
import { callerPath, UsageError } from './options.ts';
import { confirmPrice, followProgress } from './terminal.ts';
import { writeReports } from './write-reports.ts';

/** The form of runs.jsonl and of the tasks: a file of another form cannot be gone on with. */
const FORM = 3;

/** Plays a study, or what is left of it, and writes its reports, also where it was stopped. */
export async function runStudy(study: StudyOptions): Promise<void> {
  const folder = callerPath(study.out);
  const { tasks, digest } = studyMaterial(study);
  const setup = setupOf(study, { version: `${manifest.version}/${FORM}`, file: digest });
  using _lock = lockFolder(folder);
  const taskIds = tasks.map(({ id }) => id);
  const journal = openJournal(folder, setup, taskIds);
  const wallet = new Wallet(study.maxNanoUsd, journal.kept.spentNanoUsd);
  const stopped = await play({ study, tasks, folder, journal, wallet });
  const studyFile = study.server ? undefined : studyFileHere();
  console.log(writeReports(folder, { stopped, studyFile }));
  if (studyFile !== undefined) console.log(`The dashboard of this machine shows it: ${studyFile}`);
  if (stopped && stopped.why !== 'cap') throw stopped;
}

interface Session {
  readonly study: StudyOptions;
  readonly tasks: readonly StudyTask[];
  readonly folder: string;
  readonly journal: Journal;
  readonly wallet: Wallet;
}

/** Plays what is left; why it was stopped before the end, where it was. */
async function play({ study, tasks, folder, journal, wallet }: Session): Promise<Stopped | undefined> {
  const budgetNanoUsd = study.maxNanoUsd - wallet.spentNanoUsd;
  if (budgetNanoUsd <= 0) return new Stopped('cap', 'nothing is left of --max-usd');
  await using service = study.server ? apart(study.server) : await startOwnService(folder, budgetNanoUsd);
  const client = createClient(service);
  const runs = new Map(journal.kept.runs);
  const prices = await askPrices(client, { ...study, tasks });
  const judgePrices = await askJudgePrices(client, study.judges);
  const remaining = forecast({ ...study, tasks, judgePrices }, prices, (arm, task, repeat) =>
    runs.has(runName({ arm, task, repeat, sample: 0 })),
  );
  await confirmPrice(study, { remaining, unpricedModels: prices.unpricedModels, spentNanoUsd: wallet.spentNanoUsd });
  const gate = new Gate(wallet, study.atOnce);
  using progress = followProgress({ gate, wallet, runs, maxNanoUsd: study.maxNanoUsd });
  try {
    const judgements = new Map(journal.kept.judgements);
    const shared = { tasks, client, prices, judgePrices, gate, journal, runs, judgements, told: progress.told };
    await playStudy({ ...study, ...shared, dearest: dearestRuns(runs.values()) });
    return undefined;
  } catch (error) {
    if (error instanceof Stopped) return error;
    throw error;
  }
}

/** A server that goes on when the study is over. */
function apart(server: NonNullable<StudyOptions['server']>) {
  return { ...server, [Symbol.asyncDispose]: async () => undefined };
}

/** The file in which `npm start` on this machine looks for the last study. */
function studyFileHere(): string {
  const functions = fileURLToPath(new URL('../../../functions/', import.meta.url));
  const { STUDY_FILE, DATA_DIR } = process.env;
  return resolve(functions, STUDY_FILE || join(DATA_DIR || '.data', 'study.json'));
}

/** The questions of all arms, and the digest of the file that they are from; empty for tasks of ours. */
function studyMaterial(study: StudyOptions): { readonly tasks: readonly StudyTask[]; readonly digest: string } {
  const { file, judges, seed, tasks: count, kinds } = study;
  if (file === undefined) return { tasks: ourTasks({ seed, count, kinds }), digest: '' };
  const questions = readQuestions(callerPath(file));
  const open = questions.tasks.filter(({ isOpen }) => isOpen).length;
  if (open > 0 && judges.length === 0)
    throw new UsageError(
      `--judges is required: questions without expected or check are open, of which there are ${open}`,
    );
  if (open === 0 && judges.length > 0)
    throw new UsageError('--judges is for open questions: all of the file have expected or check');
  return questions;
}

/** The tasks of a study; how hard one is, its prompt's length tells of a kind. */
function ourTasks(options: Parameters<typeof makeTasks>[0]): StudyTask[] {
  return makeTasks(options).map((task) => ({
    id: task.id,
    kind: task.kind,
    isOpen: false,
    prompt: task.prompt,
    check: (answer) => task.check(answer),
  }));
}
