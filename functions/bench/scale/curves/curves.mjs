import { atMost, figure } from '../../table.mjs';
import { levelGrowth, lineThrough, slopeGrowth } from './line-fit.mjs';
import { REQUEST_CURVES, requestCurves } from './request-curves.mjs';
import { STORE_CURVES } from './store-curves.mjs';

/** A unit costs no more among many than among few; times are not known better than so. */
const GROWTH_MAX = 1.2;
const COSTS = [
  { key: 'cpuMs', name: 'CPU', unit: 'ms' },
  { key: 'takenKib', name: 'memory taken', unit: 'KiB' },
];

/**
 * What a request takes as it, or what the store holds, becomes larger: at the least size, at the greatest, the line through
 * all, and by which factor a unit is dearer in the upper half of the sizes than in the lower.
 */
export async function curves(bench) {
  const found = await measuredCurves(bench);
  return found.flatMap(({ title, unit, points }) => {
    const rowOf = (cost) => (unit === undefined ? levelRow : unitRow)({ title, unit, cost }, pointsOf(points, cost));
    return unit === undefined ? [...COSTS.map(rowOf), heldRow(points)] : COSTS.map(rowOf);
  });
}

/** By curve the growth of what a request takes of the heap, which is counted and so the same on a busy machine. */
export async function growthsOfMemory(bench) {
  const found = await measuredCurves(bench);
  const taken = COSTS.find(({ key }) => key === 'takenKib');
  const growthOf = ({ unit, points }) => (unit === undefined ? levelGrowth : slopeGrowth)(pointsOf(points, taken));
  return Object.fromEntries(found.map((curve) => [curve.name, growthOf(curve)]));
}

/** Every curve with its points; one with a unit grows by that, the others are to be level. */
async function measuredCurves(bench) {
  const found = [];
  const ofRequests = await requestCurves(bench);
  for (const [name, { title, unit }] of Object.entries(REQUEST_CURVES)) {
    found.push({ name, title, unit, points: ofRequests[name] });
  }
  for (const [name, { title, points }] of Object.entries(STORE_CURVES)) {
    found.push({ name, title, points: await points(bench) });
  }
  return found;
}

/** The points of one cost, as `[size, cost]`. */
function pointsOf(points, { key }) {
  return points.map((point) => [point.size, point[key]]);
}

function unitRow({ title, unit: each, cost: { name, unit } }, points) {
  const { slope, base } = lineThrough(points);
  const growth = slopeGrowth(points);
  const change = `${figure(base)} + ${figure(slope, unit)} a ${each}; later ones × ${figure(growth)}`;
  return { ...ends(`${title}: ${name}`, points, unit), change, ...atMost(GROWTH_MAX, growth, '×') };
}

function levelRow({ title, cost: { name, unit } }, points) {
  const { slope, base } = lineThrough(points);
  const growth = levelGrowth(points);
  const change = `${figure(base)} + ${figure(slope * 1_000, unit)} a 1,000; later × ${figure(growth)}`;
  return { ...ends(`${title}: ${name}`, points, unit), change, ...atMost(GROWTH_MAX, growth, '×') };
}

function heldRow(points) {
  const { slope } = lineThrough(points.map(({ size, usedMib }) => [size, usedMib * 1_024]));
  return { measure: '  … memory held for each', change: figure(slope, 'KiB') };
}

function ends(measure, points, unit) {
  return { measure, direct: figure(points[0][1], unit), ours: figure(points.at(-1)[1], unit) };
}
