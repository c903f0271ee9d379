import { flawsOf } from './flaws.mjs';

/** One run in a line: how long it took, what is wrong with its answer, how that begins. */
export function lineOf(run) {
  const outcome = flawsOf(run).join(', ') || 'fine';
  const seconds = run.seconds.toFixed(1).padStart(6);
  return `${run.strategy.padEnd(24)} ${seconds} s  ${outcome}  ${JSON.stringify(run.answer.slice(0, 60))}`;
}

/** A row for each strategy: the answers that are not fit to be read, the model's own last words that are not, and why. */
export function tableOf(runs) {
  const strategies = [...new Set(runs.map(({ strategy }) => strategy))];
  return strategies.map((strategy) => rowOf(strategy, runs.filter((run) => run.strategy === strategy))).join('\n');
}

function rowOf(strategy, runs) {
  const flawed = runs.map(flawsOf).filter((flaws) => flaws.length > 0);
  const own = runs.filter((run) => flawsOf({ ...run, answer: run.calls.at(-1)?.reply ?? '' }).length > 0);
  const why = [...new Set(flawed.flat())].map((flaw) => `${flaw}: ${flawed.filter((flaws) => flaws.includes(flaw)).length}`);
  return `${strategy.padEnd(24)} ${flawed.length} of ${runs.length}, ${own.length} as the model wrote them  ${why.join(', ')}`;
}
