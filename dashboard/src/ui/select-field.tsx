import styles from './select-field.module.css';

interface SelectFieldProps<Id extends string> {
  readonly label: string;
  readonly options: readonly { readonly id: Id; readonly label: string }[];
  readonly value: Id;
  readonly onChange: (id: Id) => void;
}

/** One of many, in the browser's own list. */
export function SelectField<Id extends string>({ label, options, value, onChange }: SelectFieldProps<Id>) {
  return (
    <label className={styles.field}>
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value as Id)}>
        {options.map(({ id, label: text }) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
