import type { Judge } from './evaluation';
import type { Scores } from './scoring';

/** Event of a running evaluation about one judge and one response. */
export interface JudgeEvent {
  readonly type: 'judge';
  readonly judge: Pick<Judge, 'index' | 'id' | 'name'>;
  /** Place of the response in the request, from 0. */
  readonly response: number;
  /** 2 where judges score again, with each other's scores before them. */
  readonly round: 1 | 2;
  /** `started`: the judge is asked, and its call has begun. One that is not asked any more fails without a start. */
  readonly state: 'started' | 'done' | 'failed';
  /** Scores of a judge that is done, by criterion; the response may get other scores of this judge in the end. */
  readonly scores?: Scores;
  /** Overall score of those. */
  readonly overallScore?: number;
  /** In the words of the judge. */
  readonly reasoning?: string;
  /** Why there are none, in words for people. */
  readonly reason?: string;
}

/** Takes the events of an evaluation as they happen. Must not throw. */
export type ObserveJudges = (event: JudgeEvent) => void;
