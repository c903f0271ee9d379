import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import styles from './segmented.module.css';

interface SegmentedProps<Id extends string> {
  readonly label: string;
  readonly options: readonly { readonly id: Id; readonly label: string }[];
  readonly value: Id;
  readonly onChange: (id: Id) => void;
}

/** A switch between a few views of the same thing. */
export function Segmented<Id extends string>({ label, options, value, onChange }: SegmentedProps<Id>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = options.find(({ id }) => keys.has(id));
        if (chosen) onChange(chosen.id);
      }}
      className={styles.group}
    >
      {options.map(({ id, label: text }) => (
        <ToggleButton key={id} id={id} className={styles.part}>
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
