import { useState } from 'react';
import { Form } from 'react-aria-components';
import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { fieldErrors } from '../../api/field-error';
import { useAction } from '../../api/use-action';
import { Button } from '../../ui/button';
import { DialogActions } from '../../ui/dialog';
import { ErrorState } from '../../ui/error-state';
import { TextField } from '../../ui/text-field';
import styles from './models.module.css';

interface SaveRouterKeyProps {
  /** The last four characters of the key that is saved now. */
  readonly replaces: string | undefined;
  readonly onDone: (now: Schema<'RouterKey'>) => void;
  readonly onCancel: () => void;
}

/** The field of a router key. What is written lives in it alone, and goes with the dialog. */
export function SaveRouterKey({ replaces, onDone, onCancel }: SaveRouterKeyProps) {
  const api = useApi();
  const [key, setKey] = useState('');
  const saving = useAction((body: Schema<'NewRouterKey'>) => bodyOrThrow(api.PUT('/dashboard/router-key', { body })));
  const save = async (): Promise<void> => {
    const now = await saving.run({ key });
    if (now) onDone(now);
  };
  const { byField, other } = fieldErrors(saving.error, ['key']);
  return (
    <Form
      className={styles.form ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {replaces !== undefined && (
        <p>New runs use the new key at once; the one that ends in {replaces} is forgotten here.</p>
      )}
      <TextField
        label="Key of the model router"
        description="It is checked with the router and stored encrypted. You will see its last four characters only."
        type="password"
        value={key}
        onChange={(text) => {
          setKey(text);
          saving.forgetError();
        }}
        error={byField.key}
        isRequired
        autoFocus
        autoComplete="off"
        spellCheck="false"
      />
      {other !== undefined && <ErrorState title="The key was not saved" error={other} />}
      <DialogActions>
        <Button onPress={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" isPending={saving.isPending} pendingText="Checking …">
          Save key
        </Button>
      </DialogActions>
    </Form>
  );
}
