import { Checkbox, CheckboxGroup, FieldError, Label, Text } from 'react-aria-components';
import styles from './field.module.css';

interface ChoicesProps<Id extends string> {
  readonly label: string;
  readonly description: string;
  readonly options: readonly Id[];
  readonly value: readonly Id[];
  readonly onChange: (ids: readonly Id[]) => void;
  readonly error: string | undefined;
}

/** Any of a few, all of them to be seen. */
export function Choices<Id extends string>({ options, value, onChange, ...props }: ChoicesProps<Id>) {
  const { label, description, error } = props;
  return (
    <CheckboxGroup
      value={[...value]}
      onChange={(ids) => onChange(options.filter((id) => ids.includes(id)))}
      isInvalid={error !== undefined}
      className={styles.field}
    >
      <Label>{label}</Label>
      <div className={styles.options}>
        {options.map((id) => (
          <Checkbox key={id} value={id} className={styles.option}>
            {id}
          </Checkbox>
        ))}
      </div>
      <Text slot="description">{description}</Text>
      <FieldError>{error}</FieldError>
    </CheckboxGroup>
  );
}
