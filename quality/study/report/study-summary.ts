import type { Analysis, Difference } from '../analysis/analyse.ts';
import type { Advised } from '../command/advised.ts';
import type { Interval } from '../statistics/mean-interval.ts';
import { findings, openFindings } from './findings.ts';
import type { StudyReport } from './markdown.ts';

/** The file `study.json`, which the dashboard of the service shows: null where a figure is unknown. */
export function studySummary(
  { analysis, about, warnings }: StudyReport,
  { finishedAt, advised }: { readonly finishedAt: string; readonly advised: Advised | undefined },
): object {
  return {
    ...{ finishedAt, about, warnings },
    findings: [...(analysis.rows.some((row) => row.correct) ? findings(analysis) : []), ...openFindings(analysis)],
    arms: analysis.rows.map(armOf),
    openArms: analysis.openRows.map(openArmOf),
    advice: advised ? { arm: advised.arm, reasons: advised.reasons, settings: advised.settings } : null,
  };
}

function armOf(row: Analysis['rows'][number]): object {
  const { arm, kind, answers, form, falseFactsPerAnswer, callsPerAnswer, usdPerCorrect, firstTextMs } = row;
  return {
    ...{ arm, kind, answers, form, falseFactsPerAnswer, callsPerAnswer },
    correct: row.correct ? intervalOf(row.correct) : null,
    overBestSingle: differenceOf(row.overBestSingle),
    overEqualSpend: differenceOf(row.overEqualSpend),
    usdPerCorrect: Number.isFinite(usdPerCorrect) ? usdPerCorrect : null,
    firstTextMs: { p50: firstTextMs.p50 ?? null, p95: firstTextMs.p95 ?? null },
  };
}

/** Figures of an arm on open questions, a tie being half. */
function openArmOf(row: Analysis['openRows'][number]): object {
  const { arm, comparisons, callsPerAnswer, over, overAtEqualLength } = row;
  const asShare = (margin: number): number => (margin + 1) / 2;
  return {
    ...{ arm, comparisons, callsPerAnswer },
    preferred: differenceOf(over, asShare),
    preferredAtEqualLength: differenceOf(overAtEqualLength, asShare),
    flips: row.flips ?? null,
    lengthRatio: row.lengthRatio ?? null,
    usdPerAnswer: row.usdPerAnswer ?? null,
  };
}

function intervalOf({ mean, low, high }: Interval, told = (share: number): number => share): object {
  return { mean: told(mean), low: told(low), high: told(high) };
}

function differenceOf(difference: Omit<Difference, 'tasks'> | undefined, told?: (share: number) => number) {
  return difference ? { ...intervalOf(difference, told), verdict: difference.verdict ?? null } : null;
}
