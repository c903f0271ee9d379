import { Label, Radio, RadioGroup } from 'react-aria-components';
import styles from './field.module.css';

interface ChoiceProps<Id extends string> {
  readonly label: string;
  readonly options: readonly { readonly id: Id; readonly label: string }[];
  readonly value: Id;
  readonly onChange: (id: Id) => void;
}

/** One of a few, all of them to be seen. */
export function Choice<Id extends string>({ label, options, value, onChange }: ChoiceProps<Id>) {
  return (
    <RadioGroup value={value} onChange={(id) => onChange(id as Id)} className={styles.field}>
      <Label>{label}</Label>
      <div className={styles.options}>
        {options.map(({ id, label: text }) => (
          <Radio key={id} value={id} className={styles.option}>
            {text}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
