import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LogEntry, valueAt } from './log-entry';
import { logFilter } from './log-filter';

/** Where the files are. */
export const MONITORING = join(__dirname, '..', '..', '..', 'monitoring');

/** A log-based metric as its file has it; its name is the file's. */
export interface LogMetric {
  readonly name: string;
  readonly filter: string;
  readonly metricDescriptor: { readonly valueType: string; readonly labels?: readonly { readonly key: string }[] };
  readonly valueExtractor?: string;
  readonly labelExtractors?: Readonly<Record<string, string>>;
}

/** What a metric counts of an entry: its labels and, of a distribution, the value. */
export interface Counted {
  readonly labels: Readonly<Record<string, string>>;
  readonly value?: number;
}

/** The JSON files of a folder of `monitoring/`, by name. */
export function monitoringFiles<File>(folder: string): { readonly name: string; readonly file: File }[] {
  return readdirSync(join(MONITORING, folder))
    .sort()
    .map((path) => ({
      name: path.replace(/\.json$/, ''),
      file: JSON.parse(readFileSync(join(MONITORING, folder, path), 'utf8')) as File,
    }));
}

/** Every metric of `monitoring/metrics`. */
export function logMetrics(): LogMetric[] {
  return monitoringFiles<Omit<LogMetric, 'name'>>('metrics').map(({ name, file }) => ({ name, ...file }));
}

/** What a metric counts of these entries. An entry without the value of a distribution is not counted. */
export function count(metric: LogMetric, entries: readonly LogEntry[]): Counted[] {
  const { filter, valueExtractor, labelExtractors = {} } = metric;
  return entries.filter(logFilter(filter)).flatMap((entry) => {
    const labels = mapValues(labelExtractors, (extractor) => String(extract(entry, extractor) ?? ''));
    if (valueExtractor === undefined) return [{ labels }];
    const value = extract(entry, valueExtractor);
    return typeof value === 'number' ? [{ labels, value }] : [];
  });
}

function extract(entry: LogEntry, extractor: string): unknown {
  const path = /^EXTRACT\((.+)\)$/.exec(extractor)?.[1];
  if (path === undefined) throw new Error(`not an extractor that is understood here: ${extractor}`);
  return valueAt(entry, path);
}

function mapValues(record: Readonly<Record<string, string>>, change: (value: string) => string) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
