// What it costs to wait for slow participants: runs in simulated time, under the rule before and the rule now.
import { createRequire } from 'node:module';
import { bundle, serviceSettings } from './contenders.mjs';
import { figure } from './report.mjs';

const RUNS = 20_000;

/** The rows of the table; a cell tells the rule before and the rule now. */
export async function waiting(upstream) {
  const source = await bundle('simulated-waves', serviceSettings(upstream));
  const { FORMER_RULE, RULE, PANELS, figuresOf, simulateRuns } = createRequire(import.meta.url)(source);
  const rows = [
    ['panel', 'its pace', 'drafts, median s', 'drafts, p99 s', 'run, p99 s', 'plain lost, %', 'thinking lost, %'],
  ];
  for (const [title, models] of Object.entries(PANELS)) {
    for (const isFirst of [true, false]) {
      const found = [FORMER_RULE, RULE].map((rule) => figuresOf(simulateRuns(rule, { models, isFirst, runs: RUNS })));
      const cell = (tell) => found.map((figures) => figure(tell(figures))).join(' → ');
      rows.push([
        title,
        isFirst ? 'unknown' : 'learned',
        cell(({ draftsMedian }) => draftsMedian),
        cell(({ draftsP99 }) => draftsP99),
        cell(({ runP99 }) => runP99),
        cell(({ lostPlain }) => 100 * lostPlain),
        cell(({ lostThinking }) => 100 * lostThinking),
      ]);
    }
  }
  return rows;
}
