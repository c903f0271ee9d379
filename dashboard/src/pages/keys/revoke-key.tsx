import { useState } from 'react';
import { Form } from 'react-aria-components';
import { useApi } from '../../api/api-context';
import { bodyOrThrow } from '../../api/client';
import { useAction } from '../../api/use-action';
import { Button } from '../../ui/button';
import { DialogActions } from '../../ui/dialog';
import { ErrorState } from '../../ui/error-state';
import { TextField } from '../../ui/text-field';
import { useNow } from '../../ui/use-now';
import type { Key } from './keys';
import styles from './keys.module.css';
import { LastUse } from './last-use';

const IN_USE_MS = 24 * 3_600_000;

interface RevokeKeyProps {
  readonly target: Key;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** The end of a key and, where it is in use, the proof that this one is meant. */
export function RevokeKey({ target, onDone, onCancel }: RevokeKeyProps) {
  const api = useApi();
  const nowMs = useNow();
  const [typed, setTyped] = useState('');
  const [isMissed, setMissed] = useState(false);
  const revoking = useAction(() =>
    bodyOrThrow(api.DELETE('/dashboard/keys/{id}', { params: { path: { id: target.id } } })),
  );
  const isInUse = target.lastUsedAt !== null && nowMs - Date.parse(target.lastUsedAt) < IN_USE_MS;
  const revoke = async (): Promise<void> => {
    if (isInUse && typed.trim() !== target.last4) setMissed(true);
    else if (await revoking.run(undefined)) onDone();
  };
  return (
    <Form
      className={styles.form ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        void revoke();
      }}
    >
      <p>
        <LastUse target={target} />
      </p>
      <p>
        {isInUse ? 'Programs that use it are refused from this moment on. ' : ''}
        This cannot be undone; it stays in the list of revoked keys.
      </p>
      {isInUse && (
        <TextField
          label={`Type ${target.last4} to confirm`}
          value={typed}
          onChange={(text) => {
            setTyped(text);
            setMissed(false);
          }}
          error={isMissed ? `The last four characters of this key are ${target.last4}.` : undefined}
          autoComplete="off"
          spellCheck="false"
          autoFocus
        />
      )}
      {revoking.error !== undefined && <ErrorState title="The key was not revoked" error={revoking.error} />}
      <DialogActions>
        <Button onPress={onCancel} autoFocus={!isInUse}>
          Keep it
        </Button>
        <Button kind="danger" type="submit" isPending={revoking.isPending} pendingText="Revoking …">
          Revoke {target.last4}
        </Button>
      </DialogActions>
    </Form>
  );
}
