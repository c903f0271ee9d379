import styles from './study.module.css';

interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** A share from 0 to 1 with its interval, as a dot on a line; the figures stand beside it. */
export function IntervalBar({ mean, low, high }: Interval) {
  return (
    <svg className={styles.bar} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <line className={styles.scale} x1="0" x2="100" y1="5" y2="5" />
      <line className={styles.range} x1={100 * low} x2={100 * high} y1="5" y2="5" />
      <line className={styles.mean} x1={100 * mean} x2={100 * mean} y1="0" y2="10" />
    </svg>
  );
}
