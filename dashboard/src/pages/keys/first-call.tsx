import { useState } from 'react';
import { StatusLabel } from '../../ui/status-label';
import { useKeys } from './use-keys';

const SOON_MS = 2_000;
const LATER_MS = 10_000;
/** The time in which a first call is expected: later its user is busy with something else. */
const SOON_FOR_MS = 300_000;

/** Waits for the first call with a key, and says when it came. */
export function FirstCall({ keyId }: { readonly keyId: string }) {
  const [startedAtMs] = useState(Date.now);
  const keys = useKeys(Date.now() - startedAtMs < SOON_FOR_MS ? SOON_MS : LATER_MS);
  const usedAt = keys.data?.keys.find(({ id }) => id === keyId)?.lastUsedAt;
  return (
    <p role="status">
      {usedAt == null ? (
        <StatusLabel tone="neutral">waiting for the first call …</StatusLabel>
      ) : (
        <StatusLabel tone="good">works, {timeOf(usedAt)}</StatusLabel>
      )}
    </p>
  );
}

function timeOf(moment: string): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }).format(Date.parse(moment));
}
