import { lazy, Suspense } from 'react';
import { useConfirmation } from '../session/session-context';

const ConfirmDialog = lazy(() => import('../pages/sign-in/confirm-dialog'));

/** Over any page, where what it asks for needs a recent sign-in. */
export function ConfirmSignIn() {
  const confirmation = useConfirmation();
  if (!confirmation) return null;
  return (
    <Suspense>
      <ConfirmDialog confirmation={confirmation} />
    </Suspense>
  );
}
