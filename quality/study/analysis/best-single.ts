import { seededRandom } from '../../tasks/seeded-random.ts';
import { singleArm } from '../finished-run.ts';
import type { Judgement } from '../judging.ts';
import { mean } from '../statistics/mean-interval.ts';
import type { TurnsByTask } from './turns.ts';
import { shareRight } from './turns.ts';

/** The tasks of a study in two halves, and for each the single model that was best on the other one. */
export interface CrossFit {
  readonly halves: readonly [ReadonlySet<string>, ReadonlySet<string>];
  /** The best single model for the tasks of a half, chosen where they are not. */
  readonly bestFor: readonly [string, string];
  /** The best single model for a task. */
  bestForTask(task: string): string;
}

/** The two halves of the tasks: by chance, and the same for the same seed. */
export function halvesOf(tasks: readonly string[], seed: number): CrossFit['halves'] {
  const shuffled = seededRandom(`${seed} halves`).shuffle(tasks);
  const middle = Math.ceil(tasks.length / 2);
  return [new Set(shuffled.slice(0, middle)), new Set(shuffled.slice(middle))];
}

/**
 * Chooses the best single model on each half of the tasks, to be tested on the other: one that was chosen on the tasks it is
 * tested on would look better than it is. The first of equals is taken. `worth` is how good a model's answers to a task are, 0 to 1.
 */
export function crossFit(
  { panel, halves }: { readonly panel: readonly string[]; readonly halves: CrossFit['halves'] },
  worth: (model: string, task: string) => number | undefined,
): CrossFit {
  const bestOn = (half: ReadonlySet<string>): string => {
    const shares = panel.map((model) => {
      const known = [...half].map((task) => worth(model, task)).filter((one) => one !== undefined);
      return mean(known) ?? -1;
    });
    return panel[shares.indexOf(Math.max(...shares))] ?? '';
  };
  const bestFor = [bestOn(halves[1]), bestOn(halves[0])] as const;
  return { halves, bestFor, bestForTask: (task) => bestFor[halves[0].has(task) ? 0 : 1] };
}

const SCORE_MAX = 10;

/**
 * The worth of a model's own first answer to a task, 0 to 1: 1 where it is right; of open questions, the judges' score. Later
 * repeats do not count: who is best is to be known before anything is compared with it.
 */
export function worthOf(
  byArm: ReadonlyMap<string, TurnsByTask>,
  judgements: Iterable<Judgement>,
): (model: string, task: string) => number | undefined {
  const byTask = Map.groupBy(judgements, ({ task }) => task);
  return (model, task) => {
    const turns = byArm.get(singleArm(model))?.get(task);
    const right = shareRight(turns?.filter(({ repeat }) => repeat === 1));
    if (right !== undefined) return right;
    const score = mean((byTask.get(task) ?? []).flatMap((judgement) => scoresOf(judgement, singleArm(model))));
    return score === undefined ? undefined : score / SCORE_MAX;
  };
}

/** Scores in a judgement of single models alone: beside a strategy only some of them are judged. */
function scoresOf({ arms, readings }: Judgement, arm: string): readonly number[] {
  const place = arms.indexOf(arm);
  if (place < 0 || !arms.every((one) => one.startsWith(singleArm('')))) return [];
  return readings.map((scores) => scores[place] ?? 0);
}
