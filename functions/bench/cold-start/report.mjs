import { median } from '../stats.mjs';
import { atMost, figure } from '../table.mjs';

const FLOOR = 'hello';
const OURS = ['sqlite', 'firestore'];
const TARGET = 1.2;

/** What is told of each server: the first two of starts that nothing is measured in, the others of starts of their own. */
const FIGURES = [
  { key: 'answerMs', title: 'start to first answer', unit: 'ms', isCompared: true },
  { key: 'cpuMs', title: 'CPU until then', unit: 'ms', isCompared: true },
  { key: 'bootMs', title: '… until Node runs the first line', unit: 'ms' },
  { key: 'loadFirstMs', title: '… loading modules before it listens', unit: 'ms' },
  { key: 'startRestMs', title: '… the rest until it listens', unit: 'ms' },
  { key: 'loadLaterMs', title: '… loading modules in the first request', unit: 'ms' },
  { key: 'connectingMs', title: '… connecting, to the store and upstream', unit: 'ms' },
  { key: 'requestRestMs', title: '… the rest of the first request', unit: 'ms' },
  { key: 'files', title: 'files read as modules', unit: '' },
];

/** The columns of the table of cold starts, with the keys of its rows. */
export const COLD_COLUMNS = [
  ['measure', 'measure'],
  ['server', 'server'],
  ['value', 'median'],
  ['ratio', '÷ hello-world'],
  ['target', 'target'],
  ['ok', 'ok?'],
];

/** A row for each figure and server: the median of the rounds, and that of their ratios with the least and the greatest. */
export function coldRows({ candidates, rounds }) {
  return FIGURES.flatMap(({ key, title, unit, isCompared }) =>
    candidates.map(({ name, title: server }, index) => {
      const values = rounds.map((round) => round[name][key]);
      const ratios = isCompared && name !== FLOOR ? rounds.map((round) => round[name][key] / round[FLOOR][key]) : [];
      return {
        measure: index === 0 ? title : '',
        server,
        value: unit === '' ? String(median(values)) : figure(median(values), unit),
        ...(ratios.length > 0 && { ratio: spreadOf(ratios) }),
        ...(OURS.includes(name) && key === 'answerMs' && atMost(TARGET, median(ratios), '× hello-world')),
      };
    }),
  );
}

function spreadOf(ratios) {
  const spread = ratios.length === 1 ? '' : ` (${figure(Math.min(...ratios))}–${figure(Math.max(...ratios))})`;
  return `× ${figure(median(ratios))}${spread}`;
}
