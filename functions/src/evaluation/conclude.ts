import type { Judge, JudgedResponse } from './evaluation';
import { causeWords, type EvaluationRun, type MissingCause, type Outcome } from './judge-call';
import type { Opinion } from './judge-prompts';
import { aggregate, averageScores, type Consensus, isContested, movedFar, rounded } from './scoring';

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
  const results = consensuses(run, all);
  return request.responses.map((response, index) => {
    const consensus = results[index];
    const assigned = schedule.assigned[index] ?? [];
    const opinions = assigned.flatMap((judge): JudgeOpinion[] => {
      const opinion = opinionOf(all, judge, index);
      const overallScore = consensus?.judgeOveralls[judge.index];
      return opinion && overallScore !== undefined ? [{ ...opinion, judge, overallScore }] : [];
    });
    const said = consensus
      ? consensusWords(consensus, opinions)
      : notScoredWords(assigned.map((judge) => causeOf(all, judge, index)));
    const reasoning = schedule.selfJudged.has(index) ? `${said} ${SELF_JUDGED}`.trim() : said;
    return { response, consensus, opinions, totalJudges: assigned.length, reasoning };
  });
}

/** The words of the judge nearest to the consensus, and who stands where when the judges contradict each other. */
function consensusWords(consensus: Consensus, opinions: readonly JudgeOpinion[]): string {
  const { medoid, spread } = consensus;
  const [nearest, lowest, highest] = [medoid, spread?.lowest, spread?.highest].map((index) =>
    opinions.find(({ judge }) => judge.index === index),
  );
  const words = nearest?.reasoning ?? '';
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

/** Each judge's opinion of each response, or the reason for none, by judge and response. */
export type Opinions = Map<string, Opinion | MissingCause>;

/** The outcomes of the first round; a judge may have read the same response twice, which counts as one reading. */
export function opinionsIn(outcomes: readonly Outcome[]): Opinions {
  const opinions: Opinions = new Map();
  for (const { judge, response, result } of outcomes) {
    const earlier = opinionOf(opinions, judge, response);
    if (!earlier) opinions.set(keyOf(judge, response), result);
    else if (typeof result !== 'string')
      opinions.set(keyOf(judge, response), { ...earlier, scores: averageScores([earlier.scores, result.scores]) });
  }
  return opinions;
}

/** Takes the outcomes of the second round: scores replace the first, save after a long move without a reason. */
export function revise(opinions: Opinions, outcomes: readonly Outcome[]): void {
  for (const { judge, response, result } of outcomes) {
    const before = opinionOf(opinions, judge, response);
    if (typeof result === 'string' || !before) continue;
    if (movedFar(before.scores, result.scores) && result.change === '') continue;
    opinions.set(keyOf(judge, response), { ...result, scores: { ...before.scores, ...result.scores } });
  }
}

/** Undefined where the judge has no usable scores for the response. */
export function opinionOf(opinions: Opinions, judge: Judge, response: number): Opinion | undefined {
  const found = opinions.get(keyOf(judge, response));
  return typeof found === 'string' ? undefined : found;
}

/** Why the judge has none; a response that was in no call of the judge's did not fit its context. */
function causeOf(opinions: Opinions, judge: Judge, response: number): MissingCause {
  const found = opinions.get(keyOf(judge, response));
  return typeof found === 'string' ? found : 'context_length';
}

/** The consensus on each response; undefined for one that no judge scored. */
export function consensuses({ request, schedule }: EvaluationRun, opinions: Opinions): (Consensus | undefined)[] {
  const rows = request.responses.map(({ role }, response) => ({
    role,
    scores: schedule.judges.map((judge) => opinionOf(opinions, judge, response)?.scores),
  }));
  return aggregate(rows, request.weighted);
}

function keyOf(judge: Judge, response: number): string {
  return `${judge.index}/${response}`;
}
