import { lazyPart } from '../loading/lazy-part';
import { useConfirmation } from '../session/session-context';

const ConfirmDialog = lazyPart(() => import('../pages/sign-in/confirm-dialog'), { waiting: null });

/** Over any page, where what it asks for needs a recent sign-in. */
export function ConfirmSignIn() {
  const confirmation = useConfirmation();
  return confirmation && <ConfirmDialog confirmation={confirmation} />;
}
