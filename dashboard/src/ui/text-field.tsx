import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
} from 'react-aria-components';
import styles from './field.module.css';

interface TextFieldProps extends Omit<AriaTextFieldProps, 'children' | 'className' | 'style'> {
  readonly label: string;
  readonly description?: string;
  /** The server's objection; the browser's own words come by themselves. */
  readonly error?: string | undefined;
  /** The words before the text, such as `$`. */
  readonly unit?: string;
  readonly placeholder?: string;
}

/** A labelled line of text. */
export function TextField({ label, description, error, unit, placeholder, ...props }: TextFieldProps) {
  return (
    <AriaTextField {...props} isInvalid={error !== undefined} validationBehavior="native" className={styles.field}>
      <Label>{label}</Label>
      <div className={styles.line}>
        {unit && <span aria-hidden="true">{unit}</span>}
        <Input {...(placeholder !== undefined && { placeholder })} />
      </div>
      {description && <Text slot="description">{description}</Text>}
      {error === undefined ? <FieldError /> : <FieldError>{error}</FieldError>}
    </AriaTextField>
  );
}
