import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFlaws } from './discovery-schema';
import { logFilter } from './log-filter';
import { logMetrics, MONITORING, monitoringFiles } from './log-metric';
import { type Asked, readPromql } from './promql';

/** What stands in monitoring/: resources that the APIs take, of metrics that there are, and a runbook for each alert. */

interface Condition {
  readonly displayName: string;
  readonly conditionPrometheusQueryLanguage?: { readonly query: string };
  readonly conditionThreshold?: {
    readonly filter: string;
    readonly aggregations: readonly { readonly groupByFields?: readonly string[] }[];
  };
  readonly conditionMatchedLog?: { readonly filter: string };
}

interface Policy {
  readonly displayName: string;
  readonly userLabels: Readonly<Record<string, string>>;
  readonly documentation: { readonly content: string };
  readonly conditions: readonly Condition[];
  readonly alertStrategy: {
    readonly notificationRateLimit?: object;
    readonly notificationPrompts?: readonly string[];
  };
}

interface Tile {
  readonly xPos: number;
  readonly yPos: number;
  readonly width: number;
  readonly height: number;
  readonly widget: {
    readonly title: string;
    readonly xyChart?: {
      readonly dataSets: readonly { readonly timeSeriesQuery: { readonly prometheusQuery: string } }[];
    };
    readonly logsPanel?: { readonly filter: string };
  };
}

const ROOT = join(MONITORING, '..');
const METRICS = logMetrics();
const POLICIES = monitoringFiles<Policy>('policies');
const DASHBOARD = JSON.parse(readFileSync(join(MONITORING, 'dashboard.json'), 'utf8'));
const TILES: readonly Tile[] = DASHBOARD.mosaicLayout.tiles;
const RUNBOOK = readFileSync(join(ROOT, 'docs', 'runbook.md'), 'utf8');

/** The platform's own count of answers, and what may be asked of it. */
const REQUEST_COUNT = { name: 'run_googleapis_com:request_count', labels: ['service_name', 'response_code_class'] };

/** A distribution is a histogram in PromQL, of three series. */
function seriesOf(valueType: string): readonly string[] {
  return valueType === 'DISTRIBUTION' ? ['_bucket', '_count', '_sum'] : [''];
}

/** Each series that may be asked for, with its labels. */
const SERIES = new Map<string, readonly string[]>([
  [REQUEST_COUNT.name, REQUEST_COUNT.labels],
  ...METRICS.flatMap(({ name, metricDescriptor: { valueType, labels = [] } }) =>
    seriesOf(valueType).map((suffix): [string, string[]] => [
      `logging_googleapis_com:user_${name}${suffix}`,
      [...labels.map(({ key }) => key), ...(suffix === '_bucket' ? ['le'] : [])],
    ]),
  ),
]);

const QUERIES = [
  ...POLICIES.flatMap(({ name, file: { conditions } }) =>
    conditions.flatMap(({ displayName, conditionPrometheusQueryLanguage: promql }) =>
      promql ? [{ of: `${name}: ${displayName}`, query: promql.query }] : [],
    ),
  ),
  ...TILES.flatMap(({ widget: { title, xyChart } }) =>
    (xyChart?.dataSets ?? []).map(({ timeSeriesQuery: { prometheusQuery } }) => ({
      of: `dashboard: ${title}`,
      query: prometheusQuery,
    })),
  ),
];

describe('the metrics', () => {
  const flaws = schemaFlaws('log-metric');

  it.each(METRICS)('$name is as the Logging API has it', ({ name: _, ...metric }) => {
    expect(flaws(metric)).toEqual([]);
    expect(() => logFilter(metric.filter)).not.toThrow();
  });

  it.each(METRICS)('$name has an extractor for each label, and a value if it is a distribution', (metric) => {
    const { metricDescriptor, labelExtractors = {}, valueExtractor } = metric;
    const labels = (metricDescriptor.labels ?? []).map(({ key }) => key);
    expect(Object.keys(labelExtractors)).toEqual(labels);
    expect(valueExtractor !== undefined).toBe(metricDescriptor.valueType === 'DISTRIBUTION');
  });
});

describe('the alerts', () => {
  const flaws = schemaFlaws('alert-policy');

  it.each(POLICIES)('$name is as the Monitoring API has it', ({ name, file }) => {
    expect(flaws(file)).toEqual([]);
    expect(file.userLabels).toEqual({ 'ensemble-alert': name });
    expect(file.documentation.content).toContain(`docs/runbook.md#${name}`);
  });

  it('have names of their own', () => {
    expect(new Set(POLICIES.map(({ file }) => file.displayName)).size).toBe(POLICIES.length);
  });

  it.each(POLICIES)(
    '$name, if it is of single lines, has one condition and a limit; else it tells when it is over',
    ({ file }) => {
      const { conditions, alertStrategy } = file;
      const ofLines = conditions.some(({ conditionMatchedLog }) => conditionMatchedLog);
      expect(alertStrategy.notificationRateLimit !== undefined).toBe(ofLines);
      expect(alertStrategy.notificationPrompts).toEqual(ofLines ? undefined : ['OPENED', 'CLOSED']);
      if (ofLines) expect(conditions).toHaveLength(1);
    },
  );

  it('with a threshold are on a metric and labels that there are', () => {
    const thresholds = POLICIES.flatMap(({ file }) => file.conditions).flatMap(({ conditionThreshold }) =>
      conditionThreshold ? [conditionThreshold] : [],
    );
    expect(thresholds.length).toBeGreaterThan(0);
    for (const { filter, aggregations } of thresholds) {
      const name =
        /^resource\.type = "cloud_run_revision" AND metric\.type = "logging\.googleapis\.com\/user\/(\w+)"$/.exec(
          filter,
        )?.[1];
      const metric = METRICS.find((known) => known.name === name);
      const labels = (metric?.metricDescriptor.labels ?? []).map(({ key }) => `metric.label.${key}`);
      expect(metric).toBeDefined();
      expect(labels).toEqual(
        expect.arrayContaining(aggregations.flatMap(({ groupByFields = [] }) => [...groupByFields])),
      );
    }
  });
});

describe('the queries of alerts and dashboard', () => {
  it.each(QUERIES)('$of asks for metrics and labels that there are', ({ query }) => {
    const { asked, grouped } = readPromql(query);
    expect(asked.length).toBeGreaterThan(0);
    for (const { metric, matched } of asked) {
      const { monitored_resource, ...labels } = matched;
      // A log-based metric may be of any resource: PromQL must be told of which.
      expect(monitored_resource).toBe('cloud_run_revision');
      expect(SERIES.get(metric)).toEqual(expect.arrayContaining(Object.keys(labels)));
    }
    expect(asked.flatMap(({ metric }) => SERIES.get(metric) ?? [])).toEqual(expect.arrayContaining([...grouped]));
  });

  it('are read by Prometheus’s grammar', () => {
    expect(() => readPromql('sum(a{b="1"}')).toThrow('not PromQL');
    const asked: Asked[] = [{ metric: 'a:b', matched: { c: 'd' } }];
    expect(readPromql('sum by (e) (rate(a:b{c="d"}[5m]))')).toEqual({ asked, grouped: ['e'] });
  });

  it('leave no metric unseen', () => {
    const seen = QUERIES.flatMap(({ query }) => readPromql(query).asked.map(({ metric }) => metric)).join('\n');
    expect(METRICS.filter(({ name }) => !seen.includes(`user_${name}`))).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('is as the Monitoring API has it', () => {
    expect(schemaFlaws('dashboard')(DASHBOARD)).toEqual([]);
    for (const { widget } of TILES)
      if (widget.logsPanel) expect(() => logFilter(widget.logsPanel?.filter ?? '')).not.toThrow();
  });

  it('has its tiles beside each other, within its columns', () => {
    const cells = TILES.flatMap(({ xPos, yPos, width, height }) =>
      Array.from(
        { length: width * height },
        (_, cell) => `${xPos + (cell % width)} ${yPos + Math.floor(cell / width)}`,
      ),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...TILES.map(({ xPos, width }) => xPos + width))).toBe(DASHBOARD.mosaicLayout.columns);
  });
});

describe('the runbook', () => {
  const sections = RUNBOOK.split(/^## /m).slice(1);

  it('has a section for each alert, and for no other', () => {
    expect(sections.map((section) => section.split('\n', 1)[0]).toSorted()).toEqual(POLICIES.map(({ name }) => name));
  });

  it.each(POLICIES)('says of $name what it means, how to confirm it, what to do and when it is over', ({ name }) => {
    const section = sections.find((text) => text.startsWith(`${name}\n`)) ?? '';
    const bold = [...section.matchAll(/^\*\*(.+?)\*\*/gm)].map(([, words = '']) => words.replace(/\.$/, ''));
    expect(bold).toEqual(['What it means', 'How to confirm', 'What to do', 'How to know that it is over']);
  });

  const source = readdirSync(join(ROOT, 'functions', 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    .map((path) => readFileSync(join(ROOT, 'functions', 'src', path), 'utf8'))
    .join('\n');
  const filters = [...RUNBOOK.matchAll(/```text\n([\s\S]*?)```/g)].map(([, filter = '']) => filter);
  it.each(filters)('has filters for messages that the service writes: %s', (filter) => {
    expect(() => logFilter(filter)).not.toThrow();
    const messages = /jsonPayload\.message=(.*)/.exec(filter)?.[1] ?? '';
    for (const [, message] of messages.matchAll(/"([^"]+)"/g)) {
      if (!/^(INFO|ERROR)$/.test(message ?? '')) expect(source).toContain(`'${message}'`);
    }
  });
});
