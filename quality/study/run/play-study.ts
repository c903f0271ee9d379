import { type CrossFit, crossFit, halvesOf, worthOf } from '../analysis/best-single.ts';
import { type SpendOf, spendOf } from '../analysis/equal-spend.ts';
import { runsByArm } from '../analysis/turns.ts';
import { type FinishedRun, samplesArm, singleArm } from '../finished-run.ts';
import type { Judgement } from '../judging.ts';
import type { Client } from '../service/client.ts';
import type { StudyTask } from '../study-task.ts';
import { type Panel, requestOf, singleModels } from './arms.ts';
import type { Gate } from './gate.ts';
import { allEnded } from './gate.ts';
import type { Journal } from './journal.ts';
import { compare, judgeSingles } from './judge-study.ts';
import type { JudgePrices, Prices } from './prices.ts';

/** All that a study is played with. */
export interface Play extends Panel {
  readonly tasks: readonly StudyTask[];
  readonly strategies: readonly string[];
  readonly repeats: number;
  readonly seed: number;
  readonly atOnce: number;
  readonly client: Pick<Client, 'run' | 'evaluate'>;
  /** Asks the model of an arm that has a server of its own, by the name of the arm. */
  readonly external: ReadonlyMap<string, (prompt: string) => ReturnType<Client['run']>>;
  readonly judges: readonly string[];
  readonly prices: Prices;
  readonly judgePrices: JudgePrices;
  readonly gate: Gate;
  readonly journal: Journal;
  /** Keyed by their names, those of earlier sessions among them; what is finished is added. */
  readonly runs: Map<string, FinishedRun>;
  /** Keyed by their names, likewise. */
  readonly judgements: Map<string, Judgement>;
  /** The cost of the dearest run of each arm. */
  readonly dearest: Map<string, number>;
  /** A run is finished. */
  readonly told: () => void;
}

/** One run. */
type RunOf = Pick<FinishedRun, 'arm' | 'repeat' | 'sample'> & { readonly task: StudyTask };

const SAMPLES_MAX = 64;

/** The cost of the dearest run of each arm. */
export function dearestRuns(runs: Iterable<FinishedRun>): Map<string, number> {
  const dearest = new Map<string, number>();
  for (const run of runs) noteCost(dearest, run);
  return dearest;
}

function noteCost(dearest: Map<string, number>, { arm, costNanoUsd }: FinishedRun): void {
  dearest.set(arm, Math.max(costNanoUsd, dearest.get(arm) ?? 0));
}

/** The name of a run in the journal. */
export function runName({
  arm,
  task,
  repeat,
  sample,
}: Pick<FinishedRun, 'arm' | 'task' | 'repeat' | 'sample'>): string {
  return `${task} ${repeat}.${sample} ${arm}`;
}

/**
 * Plays what is not finished yet. In each repeat the single models come first, which tell in the first one who is best on each
 * half of the tasks; then, task by task, the strategies, and as many samples of the best single model as the dearest of their
 * runs cost. So a study that comes to its cap early has compared all arms on the same tasks.
 */
export async function playStudy(play: Play): Promise<void> {
  let best: CrossFit | undefined;
  for (let repeat = 1; repeat <= play.repeats; repeat += 1) {
    await inOrder(play.atOnce, play.tasks, (task) => askSingles(play, { task, repeat }));
    best ??= bestSingles(play);
    const [{ bestForTask }, spend] = [best, spendOf(play.runs.values(), [...play.external.keys()]).of];
    await inOrder(play.atOnce, play.tasks, (task) =>
      askStrategies(play, { task, repeat, model: bestForTask(task.id), spend }),
    );
  }
}

/** One repeat of a task. */
interface Turn {
  readonly task: StudyTask;
  readonly repeat: number;
}

async function askSingles(play: Play, { task, repeat }: Turn): Promise<void> {
  if (task.documents) return;
  const arms = singleModels(play).map(singleArm);
  const runs = await allEnded(arms.map((arm) => finish(play, { task, repeat, arm, sample: 0 })));
  if (task.isOpen && repeat === 1) await judgeSingles(play, task, runs);
}

/** The best single model for each half of the tasks, by what is known after the first repeat. */
function bestSingles({ tasks, seed, runs, judgements, ...panel }: Play): CrossFit {
  const halves = halvesOf(
    tasks.map(({ id }) => id),
    seed,
  );
  const worth = worthOf(runsByArm([...runs.values()]), [...judgements.values()]);
  return crossFit({ panel: singleModels(panel), halves }, worth);
}

async function askStrategies(
  play: Play,
  { task, repeat, model, spend }: Turn & { readonly model: string; readonly spend: SpendOf },
): Promise<void> {
  const arms = [...play.strategies, ...(task.documents ? [] : play.external.keys())];
  const runs = await allEnded(arms.map((arm) => finish(play, { task, repeat, arm, sample: 0 })));
  const best = play.runs.get(runName({ arm: singleArm(model), task: task.id, repeat, sample: 0 }));
  if (task.isOpen && best) await compare(play, { task, runs, best });
  if (task.isOpen || task.documents || play.strategies.length === 0) return;
  await drawSamples(play, { task, repeat, model, runs: runs.slice(0, play.strategies.length), spend });
}

interface SamplesOf extends Turn {
  readonly model: string;
  /** The strategies' runs of the same task. */
  readonly runs: readonly FinishedRun[];
  readonly spend: SpendOf;
}

/** Draws samples until they have spent what the dearest run has; several at once, as long as they are likely to be needed. */
async function drawSamples(play: Play, { task, repeat, model, runs, spend }: SamplesOf): Promise<void> {
  const alone = play.runs.get(runName({ arm: singleArm(model), task: task.id, repeat, sample: 0 }));
  const dearest = Math.max(...runs.map(spend));
  const usual = (alone && spend(alone)) || dearest;
  const samples: FinishedRun[] = [];
  for (;;) {
    const left = dearest - samples.reduce((sum, sample) => sum + spend(sample), 0);
    const wanted = Math.min(SAMPLES_MAX - samples.length, Math.floor(left / usual + 1e-9));
    const count = samples.length === 0 ? Math.max(1, wanted) : wanted;
    if (!(count >= 1)) return;
    const names = Array.from({ length: count }, (_, index) => samples.length + index + 1);
    const drawn = names.map((sample) => finish(play, { task, repeat, arm: samplesArm(model), sample }));
    samples.push(...(await allEnded(drawn)));
  }
}

/** The run, which is played unless it was. */
async function finish(play: Play, { task, arm, repeat, sample }: RunOf): Promise<FinishedRun> {
  const name = runName({ arm, task: task.id, repeat, sample });
  const kept = play.runs.get(name);
  if (kept) return kept;
  const reservedNanoUsd = Math.max(play.prices.of(arm, task.kind).highNanoUsd, play.dearest.get(arm) ?? 0);
  const run = await play.gate.pass({
    reservedNanoUsd,
    began: () => play.journal.began(name, reservedNanoUsd),
    // Checked and written before the next run may begin: a kill wastes no more than the runs that are under way.
    make: async () => {
      const ended = await played(play, { task, arm, repeat, sample }, reservedNanoUsd);
      play.journal.ended(name, ended);
      return ended;
    },
    costOf: ({ costNanoUsd }) => costNanoUsd,
  });
  play.runs.set(name, run);
  noteCost(play.dearest, run);
  play.told();
  return run;
}

/** The run with what its check has found; of an unknown cost it has `costMaxNanoUsd`. */
async function played(play: Play, { task, arm, repeat, sample }: RunOf, costMaxNanoUsd: number): Promise<FinishedRun> {
  const external = play.external.get(arm);
  const asked = await (external
    ? external(task.prompt)
    : play.client.run(requestOf(arm, play, task.documents), task.prompt));
  const { fault, costNanoUsd = costMaxNanoUsd, shown = [], ...outcome } = asked;
  const checked = fault === undefined ? await task.check(outcome.answer) : FAILED;
  return {
    ...{ task: task.id, arm, repeat, sample, costNanoUsd },
    ...outcome,
    ...checked,
    ...(task.documents && (await keptFact(task, shown, checked.isRight === true))),
    ...(fault !== undefined && { fault }),
  };
}

/** The way of a fact that one member alone has: nobody else could be right, so nobody is told right or wrong. */
async function keptFact(
  { check }: StudyTask,
  shown: readonly string[],
  stands: boolean,
): Promise<Pick<FinishedRun, 'isRight' | 'keptFact'>> {
  const found = await Promise.all(shown.map(check));
  return { isRight: null, keptFact: { reached: found.some(({ isRight }) => isRight === true), stands } };
}

/** No answer is a wrong one. */
const FAILED = { isRight: false, hasForm: false, falseFacts: 0 };

/** Works through a list, so many of it at once, in its order; the first that fails ends it. */
async function inOrder<Item>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      next += 1;
      await work(items[next - 1] as Item);
    }
  };
  await allEnded(Array.from({ length: atOnce }, worker));
}
