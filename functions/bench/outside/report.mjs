import { median } from '../stats.mjs';
import { atLeast, atMost, figure } from '../table.mjs';

const BARE = 'bare';

/** The columns of the table from outside, with the keys of its rows. */
export const OUTSIDE_COLUMNS = [
  ['measure', 'measure'],
  ['server', 'server'],
  ['early', 'after 10'],
  ['late', 'after 600'],
  ['earlyRatio', 'ours ÷ it, after 10'],
  ['lateRatio', 'after 600'],
  ['target', 'target'],
  ['ok', 'ok?'],
];

/**
 * The rows of the table: of each figure one for each server that has it. A figure is the median of the rounds, ours
 * against it the median of the rounds' ratios, with the least and the greatest. What is `isAdded` is told, and compared,
 * less what the bare upstream took in the same round. A target is held against the column after the fewest requests.
 */
export function rowsOf({ candidates, samples, measures, columns: [early, late] }) {
  const figures = Object.entries(measures).flatMap(([measure, { figures }]) =>
    figures.map((one) => ({ ...one, measure })),
  );
  return figures.flatMap((one) => {
    const at = (column) => roundsOf(samples, { ...one, column });
    const [earlyRounds, lateRounds] = [at(early), at(late)];
    const having = candidates.filter(({ name }) => earlyRounds.some((values) => values[name] !== undefined));
    return having.map(({ name, title }, index) => ({
      measure: index === 0 ? titleOf(one) : '',
      server: title,
      early: cell(earlyRounds, name, one),
      late: cell(lateRounds, name, one),
      // What ours adds is no multiple of what bare takes.
      ...(name !== 'ours' &&
        !(one.isAdded && name === BARE) && {
          earlyRatio: ratioTo(earlyRounds, name),
          lateRatio: ratioTo(lateRounds, name),
        }),
      ...(name === 'ours' && aimed(earlyRounds, one)),
    }));
  });
}

function titleOf({ title, isAdded }) {
  return isAdded ? `${title}, added to bare` : title;
}

/** The values of one figure in one column: for each round, by name. Bare is told as it is. */
function roundsOf(samples, { measure, column, key, isAdded }) {
  const taken = samples.filter((sample) => sample.measure === measure && sample.column === column);
  return taken.map(({ values }) => {
    const less = (name) => (isAdded && name !== BARE ? values[BARE][key] : 0);
    const having = Object.entries(values).filter(([, value]) => key in value);
    return Object.fromEntries(having.map(([name, value]) => [name, value[key] - less(name)]));
  });
}

function cell(rounds, name, { unit }) {
  return rounds.length === 0 ? '' : figure(median(valuesOf(rounds, name)), unit);
}

function ratioTo(rounds, name) {
  const ratios = ratiosTo(rounds, name);
  if (ratios.length === 0) return '';
  const spread = ratios.length === 1 ? '' : ` (${figure(Math.min(...ratios))}–${figure(Math.max(...ratios))})`;
  return `× ${figure(median(ratios))}${spread}`;
}

function ratiosTo(rounds, name) {
  return rounds.map((values) => values.ours / values[name]).filter((ratio) => Number.isFinite(ratio) && ratio > 0);
}

function valuesOf(rounds, name) {
  return rounds.map((values) => values[name]).filter((value) => value !== undefined);
}

/** A target is a limit, or so many times what another server has. */
function aimed(rounds, { target, unit }) {
  if (target === undefined) return {};
  const { times, atMost: most, atLeast: least } = target;
  const ratios = times === undefined ? undefined : ratiosTo(rounds, times);
  if (ratios?.length === 0) return {};
  const value = median(ratios ?? valuesOf(rounds, 'ours'));
  const told = times === undefined ? unit : `× ${times}`;
  return least === undefined ? atMost(most, value, told) : atLeast(least, value, told);
}
