import { IconButton } from '../../../ui/button';
import styles from './setup.module.css';

/** Models that are chosen, and how often each; in the order chosen. */
export type SeatCount = ReadonlyMap<string, number>;

interface SeatCountsProps {
  readonly seats: SeatCount;
  readonly nameOf: (id: string) => string;
  /** Number of seats that are left. */
  readonly room: number;
  readonly onChange: (seats: SeatCount) => void;
}

/** The number of seats of each chosen model; one less than one is none. */
export function SeatCounts({ seats, nameOf, room, onChange }: SeatCountsProps) {
  const set = (id: string, count: number): void =>
    onChange(new Map([...seats, [id, count] as const].filter(([, each]) => each > 0)));
  return (
    <ul className={styles.seatCounts} aria-label="Chosen models">
      {[...seats].map(([id, count]) => (
        <li key={id}>
          <span className={styles.seatName}>{nameOf(id)}</span>
          <IconButton icon="minus" label={`Remove one ${nameOf(id)}`} onPress={() => set(id, count - 1)} />
          <output className={styles.rounds}>{count}</output>
          <IconButton
            icon="plus"
            label={`Add one ${nameOf(id)}`}
            isDisabled={room <= 0}
            onPress={() => set(id, count + 1)}
          />
        </li>
      ))}
    </ul>
  );
}
