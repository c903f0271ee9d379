import type { ReactNode } from 'react';
import styles from './status-label.module.css';
import type { Tone } from './tone';

/** A state in words, with a dot whose colour says it again. */
export function StatusLabel({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`${styles.label} ${styles[tone]}`}>{children}</span>;
}
