import { useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/text-field';
import styles from './sign-in.module.css';

interface EmailFormProps {
  /** The words of the button. */
  readonly action: string;
  readonly pendingText: string;
  readonly isPending: boolean;
  readonly isPrimary?: boolean;
  readonly onEmail: (email: string) => unknown;
}

/** One address, and what is done with it. */
export function EmailForm({ action, pendingText, isPending, isPrimary = false, onEmail }: EmailFormProps) {
  const [email, setEmail] = useState('');
  return (
    <Form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) onEmail(email.trim());
      }}
    >
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="email"
        isRequired
        value={email}
        onChange={setEmail}
      />
      <Button type="submit" kind={isPrimary ? 'primary' : 'secondary'} isPending={isPending} pendingText={pendingText}>
        {action}
      </Button>
    </Form>
  );
}
