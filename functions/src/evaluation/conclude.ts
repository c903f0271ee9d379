import type { Judge, JudgedResponse } from './evaluation';
import type { Hearing } from './hearing';
import type { MissingCause } from './judge';
import type { Opinion } from './judge-prompts';
import { aggregate, type Consensus, isContested, rounded } from './scoring';
import type { Preparation } from './session';

/** What one response got. */
export interface Evaluated {
  readonly response: JudgedResponse;
  /** Undefined when no judge scored it. */
  readonly consensus: Consensus | undefined;
  /** In bench order, those with scores only. */
  readonly opinions: readonly JudgeOpinion[];
  /** Judges that were to score it; recused ones are not among them. */
  readonly totalJudges: number;
  readonly reasoning: string;
}

/** One judge's word on one response. */
export interface JudgeOpinion extends Opinion {
  readonly judge: Judge;
  readonly overallScore: number;
}

/** How a missing judge is told: never in the provider's words. */
const CAUSE_WORDS: Readonly<Record<MissingCause, string>> = {
  rate_limited: 'rate limited',
  overloaded: 'overloaded',
  timeout: 'timed out',
  aborted: 'timed out',
  unauthorized: 'not available',
  not_configured: 'not configured',
  not_found: 'not found',
  bad_request: 'not available',
  context_length: 'too long for the judge',
  network: 'not reachable',
  server: 'not available',
  protocol: 'not reachable',
  content_filter: 'refused',
  empty: 'without an answer',
  unavailable: 'not available',
  token_grant_used_up: 'without tokens left',
  unusable: 'unusable output',
};
const SELF_JUDGED = 'Every judge of this response is its own model.';

/** What the hearing amounts to, in request order. */
export function conclude(prepared: Preparation, hearing: Hearing): Evaluated[] {
  const { request, plan } = prepared;
  const results = aggregate(hearing.rows(), request.weighted);
  return request.responses.map((response, index) => {
    const consensus = results[index];
    const assigned = plan.assigned[index] ?? [];
    const opinions = assigned.flatMap((judge): JudgeOpinion[] => {
      const opinion = hearing.opinion(judge, index);
      const overallScore = consensus?.judgeOveralls[judge.place];
      return opinion && overallScore !== undefined ? [{ ...opinion, judge, overallScore }] : [];
    });
    const said = consensus
      ? consensusWords(consensus, opinions)
      : notScoredWords(assigned.map((judge) => hearing.causeOf(judge, index)));
    const reasoning = plan.selfJudged.has(index) ? `${said} ${SELF_JUDGED}`.trim() : said;
    return { response, consensus, opinions, totalJudges: assigned.length, reasoning };
  });
}

/** The words of the judge nearest to the consensus, and who stands where when the judges contradict each other. */
function consensusWords(consensus: Consensus, opinions: readonly JudgeOpinion[]): string {
  const at = (place: number | undefined): JudgeOpinion | undefined =>
    opinions.find(({ judge }) => judge.place === place);
  const words = at(consensus.medoid)?.reasoning ?? '';
  const [lowest, highest] = [at(consensus.spread?.lowest), at(consensus.spread?.highest)];
  if (!isContested(consensus) || !lowest || !highest) return words;
  const extremes = `lowest ${lowest.judge.name} (${rounded(lowest.overallScore)}), highest ${highest.judge.name} (${rounded(highest.overallScore)})`;
  return `${words} The judges disagree: ${extremes}.`.trim();
}

/** `0 of 3 judges: 2 timed out, 1 unusable output` */
function notScoredWords(causes: readonly MissingCause[]): string {
  const counts = Map.groupBy(causes, (cause) => CAUSE_WORDS[cause]);
  const parts = [...counts].map(([words, { length }]) => `${length} ${words}`);
  return `0 of ${causes.length} judges: ${parts.join(', ')}`;
}
