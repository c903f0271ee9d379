import type { Judge } from './evaluation';
import type { MissingCause, Outcome } from './judge';
import type { Opinion } from './judge-prompts';
import { averageScores, movedFar, type ScoreRow } from './scoring';
import type { Preparation } from './session';
import type { Finding } from './verdict';

/** Everything the judges have said so far, by judge and response. */
export class Hearing {
  readonly #prepared: Preparation;
  readonly #findings = new Map<Judge, Map<number, Finding[]>>();
  readonly #causes = new Map<Judge, Map<number, MissingCause>>();

  constructor(prepared: Preparation) {
    this.#prepared = prepared;
  }

  /** Takes down one call of the first round; a judge may read the same response twice. */
  add(judge: Judge, outcomes: ReadonlyMap<number, Outcome>): void {
    for (const [response, outcome] of outcomes) {
      if ('cause' in outcome) entriesOf(this.#causes, judge).set(response, outcome.cause);
      else {
        const findings = entriesOf(this.#findings, judge);
        findings.set(response, [...(findings.get(response) ?? []), outcome.finding]);
      }
    }
  }

  /**
   * Takes down one call of the second round: its scores replace the first. A failure leaves them as they were, and so
   * does a long move without a reason given.
   */
  revise(judge: Judge, outcomes: ReadonlyMap<number, Outcome>): void {
    for (const [response, outcome] of outcomes) {
      const before = this.opinion(judge, response);
      if ('cause' in outcome || !before) continue;
      const { scores, change } = outcome.finding;
      if (movedFar(before.scores, scores) && change === '') continue;
      const finding = { ...outcome.finding, scores: { ...before.scores, ...scores } };
      entriesOf(this.#findings, judge).set(response, [finding]);
    }
  }

  /** A judge's readings as one; undefined where it has no usable scores for the response. */
  opinion(judge: Judge, response: number): Opinion | undefined {
    const [first, ...again] = this.#findings.get(judge)?.get(response) ?? [];
    if (!first || again.length === 0) return first;
    return { ...first, scores: averageScores([first, ...again].map(({ scores }) => scores)) };
  }

  /** Why the judge has none; a response that was in no call of the judge's did not fit its context. */
  causeOf(judge: Judge, response: number): MissingCause {
    return this.#causes.get(judge)?.get(response) ?? 'context_length';
  }

  /** All scores, as the arithmetic takes them. */
  rows(): ScoreRow[] {
    const { request, plan } = this.#prepared;
    return request.responses.map(({ role }, response) => ({
      scores: plan.bench.map((judge) => this.opinion(judge, response)?.scores),
      ...(role !== undefined && { role }),
    }));
  }
}

function entriesOf<V>(map: Map<Judge, Map<number, V>>, judge: Judge): Map<number, V> {
  const entries = map.get(judge) ?? new Map<number, V>();
  map.set(judge, entries);
  return entries;
}
