import { useId } from 'react';

const SIZE_PX = 8;

/** The marks that tell one series from another without colour, by its place; the last one is of “Other”. */
const MARKS = [
  '',
  'M0 8 8 0M-2 2 2-2M6 10l4-4',
  'M0 4h8',
  'M4 2v4M2 4h4',
  'M0 0l8 8M-2 6l4 4M6-2l4 4',
  'M4 0v8',
  'M0 4h8M4 0v8',
  'M2 2h.01M6 6h.01',
];

/** The paint of a series: a colour and marks. */
export function paintOf(prefix: string, place: number): string {
  return `url(#${prefix}-${place})`;
}

/** The paints of all series, and that which lies over a month that is not over. */
export function SeriesPatterns({ prefix }: { readonly prefix: string }) {
  return (
    <defs>
      {MARKS.map((marks, place) => (
        <Tile key={marks} id={`${prefix}-${place}`}>
          <rect width={SIZE_PX} height={SIZE_PX} fill={`var(--chart-${place + 1})`} />
          <path d={marks} stroke="var(--surface)" strokeOpacity={0.75} strokeWidth={1.5} strokeLinecap="round" />
        </Tile>
      ))}
      <Tile id={`${prefix}-unfinished`} turned>
        <rect width={SIZE_PX / 2} height={SIZE_PX} fill="var(--surface)" fillOpacity={0.6} />
      </Tile>
    </defs>
  );
}

interface TileProps {
  readonly id: string;
  readonly turned?: boolean;
  readonly children: React.ReactNode;
}

function Tile({ id, turned = false, children }: TileProps) {
  return (
    <pattern
      id={id}
      width={SIZE_PX}
      height={SIZE_PX}
      patternUnits="userSpaceOnUse"
      {...(turned && { patternTransform: 'rotate(45)' })}
    >
      {children}
    </pattern>
  );
}

const SWATCH_PX = 14;

/** The paint of a series beside its name. */
export function SeriesSwatch({ place }: { readonly place: number }) {
  const prefix = useId();
  return (
    <svg width={SWATCH_PX} height={SWATCH_PX} aria-hidden="true">
      <SeriesPatterns prefix={prefix} />
      <rect width={SWATCH_PX} height={SWATCH_PX} rx={3} fill={paintOf(prefix, place)} />
    </svg>
  );
}
