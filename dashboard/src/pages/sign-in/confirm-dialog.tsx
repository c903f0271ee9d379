import { useEffect, useState } from 'react';
import type { Confirmation } from '../../session/session';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import styles from './sign-in.module.css';
import { useAttempt } from './use-attempt';

const LOOK_EVERY_MS = 1_000;

/** “Confirm that it is you”: with Google, or with a fresh link. What was asked for then goes on by itself. */
export default function ConfirmDialog({ confirmation }: { readonly confirmation: Confirmation }) {
  const { trying, problem, attempt } = useAttempt<'google' | 'link'>();
  const [isSent, setSent] = useState(false);
  const { hasGoogle, email, look, cancel } = confirmation;
  useEffect(() => {
    if (!isSent) return;
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isSent, look]);
  const send = async () => setSent(await attempt('link', confirmation.sendLink));
  return (
    <Dialog title="Confirm that it is you" isOpen onClose={cancel}>
      {isSent ? (
        <p role="status">
          A link is on its way to <span className={styles.address}>{email}</span>. Open it in this browser; what you
          have begun here then goes on by itself.
        </p>
      ) : (
        <p>You signed in a while ago. This step needs a recent sign-in, and continues by itself afterwards.</p>
      )}
      {problem && (
        <p role="alert" className={styles.error}>
          {problem}
        </p>
      )}
      <DialogActions>
        <Button onPress={cancel}>Cancel</Button>
        {email !== undefined && (
          <Button
            kind={hasGoogle ? 'secondary' : 'primary'}
            isPending={trying === 'link'}
            pendingText="Sending …"
            onPress={send}
          >
            {isSent ? 'Send another link' : 'Send a link by e-mail'}
          </Button>
        )}
        {hasGoogle && (
          <Button
            kind="primary"
            isPending={trying === 'google'}
            pendingText="Waiting for Google …"
            onPress={() => attempt('google', confirmation.withGoogle)}
          >
            Continue with Google
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
