import type { Judge, JudgedResponse } from './evaluation';
import { causeWords, type EvaluationRun, type MissingCause, type Outcome } from './judge-call';
import type { Opinion } from './judge-prompts';
import { aggregate, averageScores, type Consensus, isContested, movedFar, rounded, type ScoreRow } from './scoring';

export interface Evaluated {
  readonly response: JudgedResponse;
  /** Undefined when no judge scored it. */
  readonly consensus: Consensus | undefined;
  /** In request order, those with scores only. */
  readonly opinions: readonly JudgeOpinion[];
  /** Judges that were to score it; recused ones are not among them. */
  readonly totalJudges: number;
  readonly reasoning: string;
}

export interface JudgeOpinion extends Opinion {
  readonly judge: Judge;
  readonly overallScore: number;
}

const SELF_JUDGED = 'Every judge of this response is its own model.';

export function conclude(run: EvaluationRun, all: Opinions): Evaluated[] {
  const { request, schedule } = run;
  const results = aggregate(all.rows(run), request.weighted);
  return request.responses.map((response, index) => {
    const consensus = results[index];
    const assigned = schedule.assigned[index] ?? [];
    const opinions = assigned.flatMap((judge): JudgeOpinion[] => {
      const opinion = all.opinion(judge, index);
      const overallScore = consensus?.judgeOveralls[judge.index];
      return opinion && overallScore !== undefined ? [{ ...opinion, judge, overallScore }] : [];
    });
    const said = consensus
      ? consensusWords(consensus, opinions)
      : notScoredWords(assigned.map((judge) => all.causeOf(judge, index)));
    const reasoning = schedule.selfJudged.has(index) ? `${said} ${SELF_JUDGED}`.trim() : said;
    return { response, consensus, opinions, totalJudges: assigned.length, reasoning };
  });
}

/** The words of the judge nearest to the consensus, and who stands where when the judges contradict each other. */
function consensusWords(consensus: Consensus, opinions: readonly JudgeOpinion[]): string {
  const { medoid, spread } = consensus;
  const of = (index: number | undefined): JudgeOpinion | undefined =>
    opinions.find(({ judge }) => judge.index === index);
  const [words = '', lowest, highest] = [of(medoid)?.reasoning, of(spread?.lowest), of(spread?.highest)];
  if (!isContested(consensus) || !lowest || !highest) return words;
  const named = ({ judge, overallScore }: JudgeOpinion): string => `${judge.name} (${rounded(overallScore)})`;
  return `${words} The judges disagree: lowest ${named(lowest)}, highest ${named(highest)}.`.trim();
}

/** `0 of 3 judges: 2 timed out, 1 unusable output` */
function notScoredWords(causes: readonly MissingCause[]): string {
  const counts = Map.groupBy(causes, causeWords);
  const parts = [...counts].map(([words, { length }]) => `${length} ${words}`);
  return `0 of ${causes.length} judges: ${parts.join(', ')}`;
}

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
