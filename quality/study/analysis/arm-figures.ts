import { mean, quantile } from '../statistics/mean-interval.ts';
import type { Turn } from './turns.ts';
import { isRight, majorityOf } from './turns.ts';

/** The figures and costs of an arm, over all that it has answered. */
export interface ArmFigures {
  readonly answers: number;
  /** Answers that did not come: they count as wrong. */
  readonly faults: number;
  /** The share of answers in the form that was asked for. */
  readonly form: number;
  readonly falseFactsPerAnswer: number;
  /** US dollars; infinite where nothing was right, undefined where a price is not known or nobody can say what is right. */
  readonly usdPerCorrect: number | undefined;
  readonly usdPerAnswer: number | undefined;
  readonly firstTextMs: { readonly p50: number | undefined; readonly p95: number | undefined };
  readonly callsPerAnswer: number;
}

const NANO = 1e9;

/** The figures of an arm. The first text of an answer that is `votedOn` can come once all samples are in. */
export function armFigures(turns: readonly Turn[], votedOn: boolean): ArmFigures {
  const given = turns.map((turn) => majorityOf(turn.runs)).filter((run) => run !== undefined);
  const runs = turns.flatMap((turn) => turn.runs);
  const rights = turns.map(isRight).filter((right) => right !== undefined);
  const usd = runs.every(({ isPriced }) => isPriced)
    ? runs.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0) / NANO
    : undefined;
  const firstMs = turns.map((turn) => firstTextMs(turn, votedOn)).filter((ms) => ms !== null);
  return {
    answers: turns.length,
    faults: given.filter(({ fault }) => fault !== undefined).length,
    form: mean(given.map(({ hasForm }) => Number(hasForm))) ?? 0,
    falseFactsPerAnswer: mean(given.map(({ falseFacts }) => falseFacts)) ?? 0,
    usdPerCorrect: usd === undefined || rights.length === 0 ? undefined : usd / rights.filter(Boolean).length,
    usdPerAnswer: usd === undefined ? undefined : usd / turns.length,
    firstTextMs: { p50: quantile(firstMs, 0.5), p95: quantile(firstMs, 0.95) },
    callsPerAnswer: runs.reduce((sum, { calls }) => sum + calls, 0) / turns.length,
  };
}

function firstTextMs({ runs }: Turn, votedOn: boolean): number | null {
  if (!votedOn) return runs[0]?.firstTextMs ?? null;
  return Math.max(...runs.map(({ durationMs }) => durationMs));
}
