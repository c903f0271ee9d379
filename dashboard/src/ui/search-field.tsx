import { SearchField as AriaSearchField, Input, Label } from 'react-aria-components';
import styles from './field.module.css';
import { Icon } from './icon';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (words: string) => void;
  readonly autoFocus?: boolean;
  readonly maxLength?: number;
}

/** A line for words to look for; Escape empties it. */
export function SearchField({ label, maxLength, ...props }: SearchFieldProps) {
  return (
    <AriaSearchField {...props} className={styles.field} autoComplete="off" {...(maxLength && { maxLength })}>
      <Label>{label}</Label>
      <div className={styles.line}>
        <Icon name="search" size={16} />
        <Input />
      </div>
    </AriaSearchField>
  );
}
