import type { Judge } from './evaluation';
import type { EvaluationRun, Outcome } from './judge-call';
import type { Opinion } from './judge-prompts';
import type { MissingCause } from './missing-cause';
import { averageScores, movedFar, type ScoreRow } from './scoring';

/** Everything the judges have said so far, by judge and response. */
export class Opinions {
  readonly #results = new Map<string, readonly Outcome['result'][]>();

  /** Takes an outcome of the first round; a judge may read the same response twice. */
  add({ judge, response, result }: Outcome): void {
    this.#results.set(keyOf(judge, response), [...this.#resultsOf(judge, response), result]);
  }

  /** Takes an outcome of the second round: its scores replace the first, save after a long move without a reason. */
  revise({ judge, response, result }: Outcome): void {
    const before = this.opinion(judge, response);
    if (typeof result === 'string' || !before) return;
    if (movedFar(before.scores, result.scores) && result.change === '') return;
    const scores = { ...before.scores, ...result.scores };
    this.#results.set(keyOf(judge, response), [{ ...result, scores }]);
  }

  /** A judge's readings as one; undefined where it has no usable scores for the response. */
  opinion(judge: Judge, response: number): Opinion | undefined {
    const [first, ...again] = this.#resultsOf(judge, response).filter((result) => typeof result !== 'string');
    if (!first || again.length === 0) return first;
    return { ...first, scores: averageScores([first, ...again].map(({ scores }) => scores)) };
  }

  /** Why the judge has none; a response that was in no call of the judge's did not fit its context. */
  causeOf(judge: Judge, response: number): MissingCause {
    return this.#resultsOf(judge, response).findLast((result) => typeof result === 'string') ?? 'context_length';
  }

  /** All scores, as the arithmetic takes them. */
  rows({ request, schedule }: EvaluationRun): ScoreRow[] {
    return request.responses.map(({ role }, response) => ({
      role,
      scores: schedule.judges.map((judge) => this.opinion(judge, response)?.scores),
    }));
  }

  #resultsOf(judge: Judge, response: number): readonly Outcome['result'][] {
    return this.#results.get(keyOf(judge, response)) ?? [];
  }
}

const keyOf = (judge: Judge, response: number): string => `${judge.index}/${response}`;
