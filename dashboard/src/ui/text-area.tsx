import type { Ref } from 'react';
import {
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  Label,
  Text,
} from 'react-aria-components';
import styles from './field.module.css';

interface TextAreaProps extends Omit<AriaTextFieldProps, 'children' | 'className' | 'style'> {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  /** So many lines at first; it grows with its text. */
  readonly rows?: number;
  /** The element that is written in, for those who give it the focus. */
  readonly area?: Ref<HTMLTextAreaElement>;
}

/** A labelled text of several lines. */
export function TextArea({ label, description, placeholder, rows = 3, area, ...props }: TextAreaProps) {
  return (
    <AriaTextField {...props} className={styles.field}>
      <Label>{label}</Label>
      <AriaTextArea
        rows={rows}
        dir="auto"
        className={styles.area ?? ''}
        {...(area && { ref: area })}
        {...(placeholder !== undefined && { placeholder })}
      />
      {description && <Text slot="description">{description}</Text>}
    </AriaTextField>
  );
}
