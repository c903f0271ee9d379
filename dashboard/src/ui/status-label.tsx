import type { ReactNode } from 'react';
import styles from './status-label.module.css';

/** What a state means for whoever looks at it. */
export type Tone = 'good' | 'warn' | 'bad' | 'neutral';

/** A state in words, with a dot whose colour says it again. */
export function StatusLabel({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`${styles.label} ${styles[tone]}`}>{children}</span>;
}
