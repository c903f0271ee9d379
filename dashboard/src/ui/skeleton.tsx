import styles from './skeleton.module.css';

interface SkeletonProps {
  /** The thing that is loaded, for readers of the screen. */
  readonly label: string;
  /** Rows in the height of the real ones. */
  readonly rows: number;
  /** CSS length of a row. */
  readonly rowHeight?: string;
}

/** The shape of what is about to be shown; it appears after a moment, so that what is quick does not flicker. */
export function Skeleton({ label, rows, rowHeight = '48px' }: SkeletonProps) {
  return (
    <div role="status" className={styles.skeleton}>
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={row} className={styles.row} style={{ blockSize: rowHeight }} />
      ))}
    </div>
  );
}

/** The shape of a page whose program is being loaded. */
export function PageSkeleton() {
  return <Skeleton label="Loading the page" rows={3} rowHeight="88px" />;
}
