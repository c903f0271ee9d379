import type { Judge } from './evaluation';
import type { Scores } from './scoring';

/** What a running evaluation tells of one judge and one response. */
export interface JudgeEvent {
  readonly type: 'judge';
  readonly judge: Pick<Judge, 'index' | 'id' | 'name'>;
  /** By place in the request, from 0. */
  readonly response: number;
  /** 2 where judges score again, with each other's scores before them. */
  readonly round: 1 | 2;
  /** `started`: the judge is asked, and its call has begun. One that is not asked any more fails without a start. */
  readonly state: 'started' | 'done' | 'failed';
  /** Of a judge that is done, by criterion; what the response gets in the end may be other scores of this judge. */
  readonly scores?: Scores;
  /** Of those scores. */
  readonly overallScore?: number;
  /** In the words of the judge. */
  readonly reasoning?: string;
  /** Why there are none, in words for people. */
  readonly reason?: string;
}

/** Takes the events of an evaluation as they happen. Must not throw. */
export type ObserveJudges = (event: JudgeEvent) => void;
