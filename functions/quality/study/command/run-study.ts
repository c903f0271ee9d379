import { version } from '../../../package.json';
import { readConfig } from '../../../src/config';
import { loadLocalEnvironment } from '../../../src/env-files';
import { forecast } from '../run/forecast';
import { Gate } from '../run/gate';
import { type Journal, openJournal } from '../run/journal';
import { askJudgePrices } from '../run/judge-prices';
import { dearestRuns, playStudy, runName } from '../run/play-study';
import { askPrices } from '../run/prices';
import { setupOf } from '../run/setup';
import { Wallet } from '../run/wallet';
import { createClient } from '../service/client';
import { startOwnService } from '../service/own-service';
import { Stopped } from '../service/stopped';
import type { StudyTask } from '../study-task';
import { callerPath } from './caller-path';
import { confirmPrice } from './confirm-price';
import { followProgress } from './follow-progress';
import { lockFolder } from './lock-folder';
import type { StudyOptions } from './read-options';
import { studyMaterial } from './study-material';
import { writeReports } from './write-reports';

/** Of runs.jsonl: a file of another form cannot be gone on with. */
const FORM = 1;

/** Plays a study, or what is left of it, and writes its reports, also where it was stopped. */
export async function runStudy(study: StudyOptions): Promise<void> {
  const folder = callerPath(study.out);
  const { tasks, digest } = await studyMaterial(study);
  const setup = setupOf(study, { version: `${version}/${FORM}`, file: digest });
  loadLocalEnvironment(process.cwd());
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

/** Where the service of this machine looks for the last study; undefined where its settings do not hold. */
function studyFileHere(): string | undefined {
  try {
    return readConfig(process.env).studyFile;
  } catch {
    return undefined;
  }
}
