import { IconButton } from '../../../ui/button';
import styles from './setup.module.css';

const ROUNDS_MAX = 10;

interface RoundsFieldProps {
  readonly value: string;
  readonly onChange: (rounds: string) => void;
}

/** The largest number of rounds, from 1 to 10. */
export function RoundsField({ value, onChange }: RoundsFieldProps) {
  const rounds = Number(value);
  return (
    <fieldset className={styles.seats}>
      <legend className={styles.caption}>Rounds, at most</legend>
      <div className={styles.chips}>
        <IconButton
          icon="minus"
          label="One round less"
          isDisabled={rounds <= 1}
          onPress={() => onChange(String(rounds - 1))}
        />
        <output className={styles.rounds}>{value}</output>
        <IconButton
          icon="plus"
          label="One round more"
          isDisabled={rounds >= ROUNDS_MAX}
          onPress={() => onChange(String(rounds + 1))}
        />
      </div>
    </fieldset>
  );
}
