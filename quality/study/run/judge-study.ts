import { type FinishedRun, singleArm } from '../finished-run.ts';
import { type Judgement, judgeAnswers, judgementName } from '../judging.ts';
import type { StudyTask } from '../study-task.ts';
import { singleModels } from './arms.ts';
import { allEnded } from './gate.ts';
import type { Play } from './play-study.ts';

/** Judges read so many texts at once. */
const TEXTS_MAX = 8;

/** Has all judges score what the single models answered to an open question, the first time: it tells who is best. */
export async function judgeSingles(play: Play, task: StudyTask, runs: readonly FinishedRun[]): Promise<void> {
  const singles = singleModels(play).map(singleArm);
  const alone = runs.filter(({ arm }) => singles.includes(arm));
  if (alone.length < 2) return;
  const parts = Array.from({ length: Math.ceil(alone.length / TEXTS_MAX) }, (_, index) =>
    alone.slice(index * TEXTS_MAX, (index + 1) * TEXTS_MAX),
  );
  await allEnded(
    play.judges.flatMap((judge) => parts.map((part) => judged(play, { task, repeat: 1, judge, runs: part }))),
  );
}

/** Has all judges compare what each strategy answered with what the best single model did. */
export async function compare(
  play: Play,
  { task, runs, best }: { readonly task: StudyTask; readonly runs: readonly FinishedRun[]; readonly best: FinishedRun },
): Promise<void> {
  const { repeat } = best;
  await allEnded(
    play.judges.flatMap((judge) => runs.map((run) => judged(play, { task, repeat, judge, runs: [run, best] }))),
  );
}

/** The judgement, which is made unless it was. */
async function judged(play: Play, shown: Parameters<typeof judgeAnswers>[1]): Promise<void> {
  const { task, repeat, judge, runs } = shown;
  const name = judgementName({ task: task.id, repeat, judge, arms: runs.map(({ arm }) => arm) });
  if (play.judgements.has(name)) return;
  const texts = [...runs.map(({ answer }) => answer.length), task.prompt.length + (task.rubric?.length ?? 0)];
  const reservedNanoUsd = play.judgePrices(judge, texts).highNanoUsd;
  const judgement: Judgement = await play.gate.pass({
    reservedNanoUsd,
    began: () => play.journal.began(name, reservedNanoUsd),
    make: () => judgeAnswers(play.client, shown),
    costOf: ({ costNanoUsd }) => costNanoUsd,
  });
  play.journal.judged(name, judgement);
  play.judgements.set(name, judgement);
  play.told();
}
