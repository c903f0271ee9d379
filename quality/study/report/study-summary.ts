import type { ArmRow, Difference } from '../analysis/analyse.ts';
import type { OpenRow } from '../analysis/open-rows.ts';
import type { Judged } from '../analysis/verdicts.ts';
import type { Advised } from '../command/advised.ts';
import type { Interval } from '../statistics/mean-interval.ts';
import { findings, openFindings } from './findings.ts';
import type { StudyReport } from './study-report.ts';
import type { ArmSummary, OpenArmSummary, StudySummary } from './summary.ts';

/** What the dashboard shows of a study. */
export function studySummary(
  { analysis, about, warnings }: StudyReport,
  { finishedAt, advised }: { readonly finishedAt: string; readonly advised: Advised | undefined },
): StudySummary {
  return {
    finishedAt,
    about: [...about],
    warnings: [...warnings],
    findings: [...(analysis.rows.some((row) => row.correct) ? findings(analysis) : []), ...openFindings(analysis)],
    arms: analysis.rows.map(armOf),
    openArms: analysis.openRows.map(openArmOf),
    advice: advised ? { arm: advised.arm, reasons: [...advised.reasons], settings: { ...advised.settings } } : null,
  };
}

function armOf(row: ArmRow): ArmSummary {
  const { usdPerCorrect = Number.NaN, firstTextMs } = row;
  return {
    ...{ arm: row.arm, kind: row.kind, answers: row.answers, form: row.form },
    ...{ falseFactsPerAnswer: row.falseFactsPerAnswer, callsPerAnswer: row.callsPerAnswer },
    correct: row.correct ? intervalOf(row.correct) : null,
    overBestSingle: differenceOf(row.overBestSingle),
    overEqualSpend: differenceOf(row.overEqualSpend),
    usdPerCorrect: Number.isFinite(usdPerCorrect) ? usdPerCorrect : null,
    firstTextMs: { p50: firstTextMs.p50 ?? null, p95: firstTextMs.p95 ?? null },
  };
}

function intervalOf({ mean, low, high }: Interval): Pick<Interval, 'mean' | 'low' | 'high'> {
  return { mean, low, high };
}

function differenceOf(difference: Difference | undefined): ArmSummary['overBestSingle'] {
  return difference ? { ...intervalOf(difference), verdict: difference.verdict ?? null } : null;
}

function openArmOf(row: OpenRow): OpenArmSummary {
  return {
    ...{ arm: row.arm, comparisons: row.comparisons, callsPerAnswer: row.callsPerAnswer },
    preferred: preferredOf(row.over),
    preferredAtEqualLength: preferredOf(row.overAtEqualLength),
    flips: row.flips ?? null,
    lengthRatio: row.lengthRatio ?? null,
    usdPerAnswer: row.usdPerAnswer ?? null,
  };
}

/** A margin from -1 to 1 as a share. */
function preferredOf({ mean, low, high, verdict }: Judged<Interval>): OpenArmSummary['preferred'] {
  const share = (margin: number): number => (margin + 1) / 2;
  return { mean: share(mean), low: share(low), high: share(high), verdict: verdict ?? null };
}
