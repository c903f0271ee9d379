/** What one judge said of the answers that several arms gave to an open question. */
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
