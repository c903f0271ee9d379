import type { FinishedRun } from './finished-run.ts';
import type { Client, EvaluationReply } from './service/client.ts';
import type { StudyTask } from './study-task.ts';

/** One judge's scores of the answers that several arms gave to an open question. */
export interface Judgement {
  readonly task: string;
  readonly repeat: number;
  readonly judge: string;
  readonly arms: readonly string[];
  /** Characters of each arm's answer. */
  readonly lengths: readonly number[];
  /** Scores of the arms, 0 to 10, from each reading: one in some order, one in its reverse. Those without scores are left out. */
  readonly readings: readonly (readonly number[])[];
  readonly costNanoUsd: number;
}

/** The name of a judgement in the journal. */
export function judgementName({ task, repeat, judge, arms }: Pick<Judgement, 'task' | 'repeat' | 'judge' | 'arms'>) {
  return `${task} ${repeat} ${judge} on ${arms.join(' | ')}`;
}

/** The result of the first of two arms beside the second, by one judge. */
export interface Preference {
  /** From -1, the second is better in both orders, to 1. */
  readonly margin: number;
  /** True if the other order gave another verdict; undefined where only one could be used. */
  readonly isFlipped: boolean | undefined;
  /** Characters that the first is longer. */
  readonly longerBy: number;
}

/** The preference in a judgement of two answers; undefined where the judge gave no usable scores. */
export function preferenceOf({ readings, lengths: [first = 0, second = 0] }: Judgement): Preference | undefined {
  const verdicts = readings.map(([ours = 0, theirs = 0]) => Math.sign(ours - theirs));
  const [one, other] = verdicts;
  if (one === undefined) return undefined;
  return {
    margin: verdicts.reduce((sum, verdict) => sum + verdict, 0) / verdicts.length,
    isFlipped: other === undefined ? undefined : one !== other,
    longerBy: first - second,
  };
}

/** The material of a judge. */
export interface Shown {
  readonly task: StudyTask;
  readonly repeat: number;
  readonly judge: string;
  readonly runs: readonly FinishedRun[];
}

const ORDERS = ['one order', 'the other order'];
const NANO = 1e9;

/**
 * Has a judge score answers twice: as a mirrored pair of itself, which reads them in one order and in its reverse. An answer
 * that did not come is below all others, and judges are not asked where only one came.
 */
export async function judgeAnswers(
  client: Pick<Client, 'evaluate'>,
  { task, repeat, judge, runs }: Shown,
): Promise<Judgement> {
  const shown = {
    ...{ task: task.id, repeat, judge },
    arms: runs.map(({ arm }) => arm),
    lengths: runs.map(({ answer }) => answer.length),
  };
  const answered = runs.filter(isAnswered);
  if (answered.length < 2) return { ...shown, readings: ORDERS.map(() => runs.map(came)), costNanoUsd: 0 };
  const reply = await client.evaluate({
    prompt: task.rubric === undefined ? task.prompt : `${task.prompt}\n\n${RUBRIC}\n${task.rubric}`,
    responses: answered.map(({ arm, answer }) => ({ modelId: arm, modelName: arm, response: answer })),
    judge_models: ORDERS.map((name) => ({ id: judge, name })),
    strategy: 'speed_pair',
  });
  const readings = ORDERS.map((order) => scoresOf(reply, order)).filter((scores) => scores !== undefined);
  const ofAll = readings.map((scores) => runs.map((run) => scores[answered.indexOf(run)] ?? 0));
  return { ...shown, readings: ofAll, costNanoUsd: Math.round(reply.usage.total_cost * NANO) };
}

const RUBRIC = 'What a good answer must have, which its author was not told:';

function isAnswered({ answer, fault }: FinishedRun): boolean {
  return fault === undefined && answer.trim() !== '';
}

function came(run: FinishedRun): number {
  return isAnswered(run) ? 10 : 0;
}

/** The scores of one reading; undefined unless it has scored all. */
function scoresOf({ evaluations }: EvaluationReply, order: string): readonly number[] | undefined {
  const scores = evaluations.map(
    ({ individualScores = [] }) => individualScores.find(({ judgeName }) => judgeName === order)?.overallScore,
  );
  return scores.every((score) => score !== undefined) ? scores : undefined;
}
