import { type Interval, mean, meanInterval, type Resampling } from '../statistics/mean-interval.ts';
import type { TurnsByTask } from './turns.ts';

/** Facts that one member of an ensemble alone had, and their way into the answers of an arm. */
export interface KeptFacts {
  /** The share that stands in the answer, by task. */
  readonly kept: Interval;
  readonly answers: number;
  /** Answers whose author was shown the fact. */
  readonly reached: number;
  readonly stood: number;
  /** Answers that took over a claim of one member which the material contradicts. */
  readonly claimsTaken: number;
}

/** The facts that an arm kept; undefined where it had none to keep. */
export function keptFacts(byTask: TurnsByTask, resampling: Resampling): KeptFacts | undefined {
  const perTask = [...byTask.values()]
    .map((turns) => turns.flatMap(({ runs }) => runs).filter(({ keptFact }) => keptFact))
    .filter(({ length }) => length > 0);
  const shares = perTask.map((runs) => mean(runs.map(({ keptFact }) => Number(keptFact?.stands))) ?? 0);
  const kept = meanInterval(shares, 0, resampling);
  if (!kept) return undefined;
  const runs = perTask.flat();
  const countOf = (isCounted: (run: (typeof runs)[number]) => boolean): number => runs.filter(isCounted).length;
  return {
    kept,
    answers: runs.length,
    reached: countOf(({ keptFact }) => keptFact?.reached === true),
    stood: countOf(({ keptFact }) => keptFact?.stands === true),
    claimsTaken: countOf(({ falseFacts }) => falseFacts > 0),
  };
}
