import { useState } from 'react';
import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { useAction } from '../../api/use-action';
import { Button } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { DialogActions } from '../../ui/dialog';
import { ErrorState } from '../../ui/error-state';
import type { Key } from './keys';
import { LastUse } from './last-use';

type Overlap = Schema<'KeyRotation'>['overlap'];

const OVERLAPS: readonly { readonly id: Overlap; readonly label: string }[] = [
  { id: '0', label: 'Ends now' },
  { id: '1h', label: '1 hour' },
  { id: '24h', label: '24 hours' },
  { id: '7d', label: '7 days' },
];

interface RotateKeyProps {
  readonly target: Key;
  readonly onRotated: (key: Schema<'CreatedKey'>) => void;
  readonly onCancel: () => void;
}

/** The form for replacing a key: how long the old one goes on working. */
export function RotateKey({ target, onRotated, onCancel }: RotateKeyProps) {
  const api = useApi();
  const [overlap, setOverlap] = useState<Overlap>('24h');
  const rotating = useAction((body: Schema<'KeyRotation'>) =>
    bodyOrThrow(api.POST('/dashboard/keys/{id}/rotate', { params: { path: { id: target.id } }, body })),
  );
  const rotate = async (): Promise<void> => {
    const created = await rotating.run({ overlap });
    if (created) onRotated(created);
  };
  return (
    <>
      <p>
        A new key takes over the name, the expiry, the limits, and the budget with what is spent of it.{' '}
        <LastUse target={target} />
      </p>
      <Choice label="The old key keeps working for" options={OVERLAPS} value={overlap} onChange={setOverlap} />
      {overlap === '0' && <p>Programs that still use the old key are refused at once.</p>}
      {overlap !== '0' && target.expiresAt !== null && <p>It never works longer than until its own expiry.</p>}
      {rotating.error !== undefined && <ErrorState title="The key was not rotated" error={rotating.error} />}
      <DialogActions>
        <Button onPress={onCancel}>Cancel</Button>
        <Button kind="primary" onPress={rotate} isPending={rotating.isPending} pendingText="Rotating …" autoFocus>
          Rotate
        </Button>
      </DialogActions>
    </>
  );
}
