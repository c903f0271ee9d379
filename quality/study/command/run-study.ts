import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };
import { makeTasks } from '../../tasks/make-tasks.ts';
import { readQuestions } from '../questions/questions.ts';
import type { ExternalArm } from '../run/arms.ts';
import { Gate, Wallet } from '../run/gate.ts';
import { type Journal, lockFolder, openJournal, setupOf } from '../run/journal.ts';
import { dearestRuns, playStudy, runName } from '../run/play-study.ts';
import { askJudgePrices, askPrices, forecast } from '../run/prices.ts';
import { type Client, createClient, Stopped } from '../service/client.ts';
import { type FoundServer, findServer } from '../service/find-server.ts';
import { createPlainClient } from '../service/plain-client.ts';
import type { StudyTask } from '../study-task.ts';
import { keyOf } from './external-arm.ts';
import type { StudyOptions } from './options.ts';
import { callerPath, UsageError } from './options.ts';
import { confirmPrice, followProgress } from './terminal.ts';
import { writeReports } from './write-reports.ts';

/** The form of runs.jsonl and of the tasks: a file of another form cannot be gone on with. */
const FORM = 3;

const FUNCTIONS = fileURLToPath(new URL('../../../functions/', import.meta.url));

/** Plays a study, or what is left of it, and writes its reports, also where it was stopped. */
export async function runStudy(asked: StudyOptions): Promise<void> {
  if (!asked.server && !existsSync(FUNCTIONS))
    throw new UsageError('--url is required: there is no service beside this package that could be started');
  const server = asked.server && (await findServer(asked.server));
  const study = server && !server.isProduct ? alone(asked) : asked;
  const folder = callerPath(study.out);
  const { tasks, digest } = studyMaterial(study);
  const address = server && !server.isProduct ? server.baseUrl : '';
  const setup = setupOf(study, { version: `${manifest.version}/${FORM}`, file: digest, server: address });
  using _lock = lockFolder(folder);
  const journal = openJournal(folder, setup, tasks);
  const wallet = new Wallet(study.maxNanoUsd, journal.kept.spentNanoUsd);
  const stopped = await play({ study, server, tasks, folder, journal, wallet });
  const studyFile = study.server ? undefined : studyFileHere();
  console.log(writeReports(folder, { stopped, studyFile }));
  if (studyFile !== undefined) console.log(`The dashboard of this machine shows it: ${studyFile}`);
  if (stopped && stopped.why !== 'cap') throw stopped;
}

/** A study of a server of which only chat completions are known: its models are asked alone. */
function alone(study: StudyOptions): StudyOptions {
  if (study.judges.length > 0)
    throw new UsageError('--judges needs the Ensemble API: there is another server at --url');
  const kinds = study.kinds.filter((kind) => kind !== 'kept');
  if (kinds.length === 0) throw new UsageError('--kinds kept needs the Ensemble API: only ensembles are asked them');
  console.error('There is no Ensemble API at --url: its models are asked alone, without strategies.');
  return { ...study, kinds, strategies: [] };
}

interface Session {
  readonly study: StudyOptions;
  readonly server: FoundServer | undefined;
  readonly tasks: readonly StudyTask[];
  readonly folder: string;
  readonly journal: Journal;
  readonly wallet: Wallet;
}

/** Plays what is left; why it was stopped before the end, where it was. */
async function play({ study, server, tasks, folder, journal, wallet }: Session): Promise<Stopped | undefined> {
  const budgetNanoUsd = study.maxNanoUsd - wallet.spentNanoUsd;
  if (budgetNanoUsd <= 0) return new Stopped('cap', 'nothing is left of --max-usd');
  const external = new Map(study.external.map((arm) => [arm.name, askerOf(arm, study)]));
  await using service = server ? apart(server) : await ownService(folder, budgetNanoUsd);
  const client = service.isProduct ? createClient(service) : createPlainClient(service, study);
  const runs = new Map(journal.kept.runs);
  const prices = await askPrices(client, { ...study, tasks });
  const judgePrices = await askJudgePrices(client, study.judges);
  const remaining = forecast({ ...study, tasks, judgePrices }, prices, (arm, task, repeat) =>
    runs.has(runName({ arm, task, repeat, sample: 0 })),
  );
  const { unpricedModels } = prices;
  await confirmPrice(study, {
    ...{ remaining, spentNanoUsd: wallet.spentNanoUsd, unpricedModels: service.isProduct ? unpricedModels : [] },
    untoldArms: [...(service.isProduct ? [] : unpricedModels), ...external.keys()],
  });
  const gate = new Gate(wallet, study.atOnce);
  using progress = followProgress({ gate, wallet, runs, maxNanoUsd: study.maxNanoUsd });
  try {
    const judgements = new Map(journal.kept.judgements);
    const shared = { tasks, client, prices, judgePrices, gate, journal, runs, judgements, told: progress.told };
    await playStudy({ ...study, ...shared, external, dearest: dearestRuns(runs.values()) });
    return undefined;
  } catch (error) {
    if (error instanceof Stopped) return error;
    throw error;
  }
}

/** A server that goes on when the study is over. */
function apart(server: FoundServer) {
  return { ...server, [Symbol.asyncDispose]: async () => undefined };
}

/** The product beside this package, which is not there where the package is by itself. */
async function ownService(folder: string, budgetNanoUsd: number) {
  const { startOwnService } = await import('../service/own-service.ts');
  return startOwnService(folder, budgetNanoUsd);
}

/** Asks the one model of an arm at its server. */
function askerOf(
  arm: ExternalArm,
  limits: { readonly callNanoUsd: number },
): (prompt: string) => ReturnType<Client['run']> {
  const { model, baseUrl } = arm;
  const client = createPlainClient({ baseUrl, key: keyOf(arm) }, limits);
  return (prompt) => client.run({ model, ai_ensemble: {} }, prompt);
}

/** The file in which `npm start` on this machine looks for the last study. */
function studyFileHere(): string {
  const { STUDY_FILE, DATA_DIR } = process.env;
  return resolve(FUNCTIONS, STUDY_FILE || join(DATA_DIR || '.data', 'study.json'));
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
    ...(task.documents && { documents: task.documents }),
    check: (answer) => task.check(answer),
  }));
}
