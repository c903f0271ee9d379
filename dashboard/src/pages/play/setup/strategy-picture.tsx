import styles from './setup.module.css';
import type { PictureStep } from './strategies';

const WIDTH = 112;
const HEIGHT = 44;
const MARGIN = 8;
const RADIUS = 4;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** A strategy as a drawing: a column of dots for each step, a line where a text is shown. Words beside it say the same. */
export function StrategyPicture({ steps }: { readonly steps: readonly PictureStep[] }) {
  const columns = steps.map((step, at) => ({ step, places: placesOf(step, at, steps.length) }));
  const lines = columns.slice(1).flatMap(({ step, places }, at) => linesInto(step, places, columns[at]?.places ?? []));
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.picture} aria-hidden="true" focusable="false">
      {lines.map(({ from, to }) => (
        <line key={`${from.x} ${from.y} ${to.y}`} x1={from.x + RADIUS} y1={from.y} x2={to.x - RADIUS} y2={to.y} />
      ))}
      {columns.flatMap(({ step, places }) =>
        places.map(({ x, y }) => <circle key={`${x} ${y}`} cx={x} cy={y} r={RADIUS} data-kind={step.kind} />),
      )}
    </svg>
  );
}

function linesInto(step: PictureStep, readers: readonly Place[], authors: readonly Place[]) {
  return readers.flatMap((to, reader) =>
    authors.flatMap((from, author) => (isShown(step, reader, author) ? [{ from, to }] : [])),
  );
}

function isShown({ shown, texts }: PictureStep, reader: number, author: number): boolean {
  if (shown === 'own') return reader === author;
  return shown === 'all' || texts === 1 || reader !== author;
}

function placesOf({ texts }: PictureStep, at: number, steps: number): Place[] {
  const x = steps === 1 ? WIDTH / 2 : MARGIN + (at * (WIDTH - 2 * MARGIN)) / (steps - 1);
  const gap = (HEIGHT - 2 * MARGIN) / 2;
  return Array.from({ length: texts }, (_, place) => ({ x, y: HEIGHT / 2 + (place - (texts - 1) / 2) * gap }));
}
