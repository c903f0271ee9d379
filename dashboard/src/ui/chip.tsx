import type { ReactNode } from 'react';
import { IconButton } from './button';
import styles from './chip.module.css';

interface ChipProps {
  /** The thing it stands for, in the name of the button that takes it away. */
  readonly name: string;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}

/** One of several things that were chosen, with a button that takes it away again. */
export function Chip({ name, onRemove, children }: ChipProps) {
  return (
    <span className={styles.chip}>
      {children}
      <IconButton icon="close" label={`Remove ${name}`} onPress={onRemove} />
    </span>
  );
}
