import { Switch } from 'react-aria-components';
import styles from './toggle.module.css';

interface ToggleProps {
  readonly label: string;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

/** A switch with its words. */
export function Toggle({ label, ...props }: ToggleProps) {
  return (
    <Switch {...props} className={styles.toggle ?? ''}>
      <span className={styles.track} />
      {label}
    </Switch>
  );
}
