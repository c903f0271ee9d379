/** The change from the month before. */
export type MonthChange =
  | { readonly is: 'unknown' }
  | { readonly is: 'first' }
  | { readonly is: 'same' }
  | { readonly is: 'more' | 'less'; readonly share: number }
  | { readonly is: 'so-far'; readonly shareOfWhole: number };

interface Compared {
  readonly now: number;
  /** Undefined: that month was not asked for. */
  readonly before: number | undefined;
  /** The month is not over; it is compared as that, for a part is no less than a whole. */
  readonly isUnfinished: boolean;
}

/** The change from the month before, which is over, to this one, which may not be. */
export function monthChange({ now, before, isUnfinished }: Compared): MonthChange {
  if (before === undefined) return { is: 'unknown' };
  if (before === 0) return now === 0 ? { is: 'same' } : { is: 'first' };
  if (isUnfinished) return { is: 'so-far', shareOfWhole: now / before };
  if (now === before) return { is: 'same' };
  return { is: now > before ? 'more' : 'less', share: Math.abs(now - before) / before };
}

/** The change in words, such as “▲ 12% on October 2026”; empty where there is nothing to compare to. */
export function changeWords(change: MonthChange, before: string): string {
  switch (change.is) {
    case 'unknown':
      return '';
    case 'first':
      return `nothing in ${before}`;
    case 'same':
      return `the same as in ${before}`;
    case 'so-far':
      return `${percent(change.shareOfWhole)} of all of ${before}`;
    default:
      return `${change.is === 'more' ? '▲' : '▼'} ${percent(change.share)} ${change.is} than in ${before}`;
  }
}

const DIGITLESS_FROM = 0.1;

/** Small shares keep a digit, so that none of them is told as nothing. */
function percent(share: number): string {
  const digits = share >= DIGITLESS_FROM ? 0 : 1;
  return new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: digits }).format(share);
}
