import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { htmlReport } from '../report/html.ts';
import { markdownReport, tableLines } from '../report/markdown.ts';
import { studySummary } from '../report/study-summary.ts';
import type { Stopped } from '../service/client.ts';
import { advisedIn, type KeptStudy, keptStudy } from './advised.ts';
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
    ...(setup.judges === '' ? [] : [`Judges: ${judgesOf(setup)}`]),
    `${kept.runs.size} runs, ${formatUsd(Math.ceil(kept.spentNanoUsd / 1_000) * 1_000)} in the books; version ${setup.version}`,
  ];
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
