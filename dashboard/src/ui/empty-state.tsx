import type { ReactNode } from 'react';
import styles from './notice.module.css';

interface EmptyStateProps {
  /** One sentence. */
  readonly title: string;
  readonly children?: ReactNode;
  /** One button. */
  readonly action?: ReactNode;
}

/** The state where there is nothing yet: what would be here, and how it comes about. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children}
      {action}
    </div>
  );
}
