import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Analysis, Difference } from '../analysis/analyse.ts';
import { findings } from '../report/findings.ts';
import { htmlReport } from '../report/html.ts';
import { markdownReport, type StudyReport, tableLines } from '../report/markdown.ts';
import { externalOf } from '../run/journal.ts';
import type { Stopped } from '../service/client.ts';
import type { Interval } from '../statistics/mean-interval.ts';
import { type Advised, advisedIn, type KeptStudy, keptStudy } from './advised.ts';
import { formatUsd } from './options.ts';

/** The end of a study, and the place of its reports. */
interface Ending {
  readonly stopped: Stopped | undefined;
  /** The file in which the dashboard of this machine looks for the last study; undefined where it has none. */
  readonly studyFile: string | undefined;
}

/** Writes the reports of what the folder holds; returns the one in Markdown. */
export function writeReports(folder: string, { stopped, studyFile }: Ending): string {
  const found = keptStudy(folder);
  const warnings = stopped ? [`The study is not complete: ${stopped.message}.`.replace(/\.\.$/, '.')] : [];
  const report = { analysis: found.analysis, about: about(found), warnings };
  const markdown = markdownReport(report);
  writeFileSync(join(folder, 'report.md'), markdown);
  writeFileSync(join(folder, 'report.html'), htmlReport(report));
  writeFileSync(join(folder, 'table.jsonl'), tableLines(found.analysis));
  const told = { finishedAt: new Date().toISOString(), advised: advisedIn(found) };
  const summary = JSON.stringify(studySummary(report, told), null, 2);
  replace(join(folder, 'study.json'), summary);
  if (studyFile !== undefined) replace(studyFile, summary);
  return markdown;
}

function about({ kept, setup, study }: KeptStudy): string[] {
  const asked =
    setup.file === ''
      ? `${counted(setup.tasks, 'task')} (${setup.kinds.replaceAll(',', ', ')})`
      : `${counted(study.tasks.length, 'question')} of a file`;
  const rounds = setup.rounds > 1 ? `, ${setup.rounds} rounds` : '';
  return [
    `${asked}, ${counted(setup.repeats, 'repeat')}, seed ${setup.seed}`,
    `Panel: ${setup.panel.replaceAll(',', ', ')}; arbiter: ${setup.arbiter}${rounds}`,
    ...(setup.server ? [`Server: ${hostOf(setup.server)}, which is asked for chat completions alone`] : []),
    ...externalOf(setup).map(({ name, model, url }) => `Arm ${name}: ${model} at ${hostOf(url)}`),
    ...(setup.judges === '' ? [] : [`Judges: ${judgesOf(setup)}`]),
    `${kept.runs.size} runs, ${formatUsd(Math.ceil(kept.spentNanoUsd / 1_000) * 1_000)} ${setup.server || setup.arms ? 'counted' : 'in the books'}; version ${setup.version}`,
  ];
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Models like their own texts: a reader is to know who judges them. */
function judgesOf({ judges, panel, arbiter }: KeptStudy['setup']): string {
  const authors = [...panel.split(','), arbiter];
  const told = (judge: string): string => (authors.includes(judge) ? `${judge} (an author, too)` : judge);
  return judges.split(',').map(told).join(', ');
}

/** All of it or nothing: a server may read it at any moment. */
function replace(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, text);
  renameSync(next, file);
}

/** The file `study.json`, which the dashboard of the service shows: null where a figure is unknown. */
function studySummary(
  { analysis, about, warnings }: StudyReport,
  { finishedAt, advised }: { readonly finishedAt: string; readonly advised: Advised | undefined },
): object {
  return {
    ...{ finishedAt, about, warnings },
    findings: findings(analysis),
    arms: analysis.rows.map(armOf),
    openArms: analysis.openRows.map(openArmOf),
    advice: advised ? { arm: advised.arm, reasons: advised.reasons, settings: advised.settings } : null,
  };
}

function armOf(row: Analysis['rows'][number]): object {
  const { arm, kind, answers, form, falseFactsPerAnswer, callsPerAnswer, usdPerCorrect, firstTextMs, keptFacts } = row;
  return {
    ...{ arm, kind, answers, form: form ?? null, falseFactsPerAnswer: falseFactsPerAnswer ?? null, callsPerAnswer },
    ...(keptFacts && { keptFacts: intervalOf(keptFacts.kept) }),
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
