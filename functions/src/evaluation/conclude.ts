import type { Judge, JudgedResponse } from './evaluation';
import type { EvaluationRun } from './judge-call';
import type { Opinion } from './judge-prompts';
import { causeWords, type MissingCause } from './missing-cause';
import type { Opinions } from './opinions';
import { aggregate, type Consensus, isContested, rounded } from './scoring';

/** Result of one response. */
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

/** One judge's opinion of one response. */
export interface JudgeOpinion extends Opinion {
  readonly judge: Judge;
  readonly overallScore: number;
}

const SELF_JUDGED = 'Every judge of this response is its own model.';

/** Results of the opinions, in request order. */
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
