import { mean, quantile } from '../statistics/mean-interval.ts';
import type { Turn } from './turns.ts';
import { isRight, majorityOf } from './turns.ts';

/** The figures and costs of an arm, over what every arm is asked; where it was asked nothing else, over what ensembles alone are. */
export interface ArmFigures {
  readonly answers: number;
  /** Answers that did not come: they count as wrong. */
  readonly faults: number;
  /** The share of answers in the form that was asked for; undefined, as the next, without a task that every arm is asked. */
  readonly form: number | undefined;
  readonly falseFactsPerAnswer: number | undefined;
  /** US dollars; infinite where nothing was right, undefined where a price is not known or nobody can say what is right. */
  readonly usdPerCorrect: number | undefined;
  readonly usdPerAnswer: number | undefined;
  readonly firstTextMs: { readonly p50: number | undefined; readonly p95: number | undefined };
  readonly callsPerAnswer: number;
}

const NANO = 1e9;

/** The figures of an arm. The first text of an answer that is `votedOn` can come once all samples are in. */
export function armFigures(turns: readonly Turn[], votedOn: boolean): ArmFigures {
  const compared = turns.filter(({ runs }) => !runs.some(({ keptFact }) => keptFact));
  return { ...costFigures(compared.length > 0 ? compared : turns, votedOn), ...answerFigures(compared) };
}

function answerFigures(turns: readonly Turn[]) {
  const given = turns.map((turn) => majorityOf(turn.runs)).filter((run) => run !== undefined);
  const checked = turns.filter((turn) => isRight(turn) !== undefined);
  const usdChecked = usdOf(checked);
  return {
    form: mean(given.map(({ hasForm }) => Number(hasForm))),
    falseFactsPerAnswer: mean(given.map(({ falseFacts }) => falseFacts)),
    usdPerCorrect:
      usdChecked === undefined || checked.length === 0 ? undefined : usdChecked / checked.filter(isRight).length,
  };
}

function costFigures(turns: readonly Turn[], votedOn: boolean) {
  const runs = turns.flatMap((turn) => turn.runs);
  const usd = usdOf(turns);
  const firstMs = turns.map((turn) => firstTextMs(turn, votedOn)).filter((ms) => ms !== null);
  return {
    answers: turns.length,
    faults: turns.filter((turn) => majorityOf(turn.runs)?.fault !== undefined).length,
    usdPerAnswer: usd === undefined ? undefined : usd / turns.length,
    firstTextMs: { p50: quantile(firstMs, 0.5), p95: quantile(firstMs, 0.95) },
    callsPerAnswer: runs.reduce((sum, { calls }) => sum + calls, 0) / turns.length,
  };
}

/** The cost of turns; undefined where a price is not known. */
function usdOf(turns: readonly Turn[]): number | undefined {
  const runs = turns.flatMap((turn) => turn.runs);
  return runs.every(({ isPriced }) => isPriced)
    ? runs.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0) / NANO
    : undefined;
}

function firstTextMs({ runs }: Turn, votedOn: boolean): number | null {
  if (!votedOn) return runs[0]?.firstTextMs ?? null;
  return Math.max(...runs.map(({ durationMs }) => durationMs));
}
