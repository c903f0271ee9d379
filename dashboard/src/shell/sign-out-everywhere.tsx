import { useMutation } from '@tanstack/react-query';
import { useApi } from '../api/api-context';
import { bodyOrThrow } from '../api/client';
import type { SignInWays } from '../session/session';
import { Button } from '../ui/button';
import { Dialog, DialogActions } from '../ui/dialog';
import { ErrorState } from '../ui/error-state';

interface SignOutEverywhereProps {
  readonly ways: SignInWays;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks, then ends the user's sessions in all browsers, this one among them. */
export function SignOutEverywhere({ ways, isOpen, onClose }: SignOutEverywhereProps) {
  const api = useApi();
  const signOut = useMutation({
    mutationFn: async () => {
      await bodyOrThrow(api.POST('/dashboard/sign-out-everywhere'));
      await ways.signOut();
    },
  });
  return (
    <Dialog title="Sign out everywhere?" isOpen={isOpen} onClose={onClose} role="alertdialog">
      <p>
        You are signed out here at once and in every other browser within an hour. Nothing that is signed in elsewhere
        can make or show a key from now on. Your API keys keep working.
      </p>
      {signOut.error && <ErrorState title="You were not signed out everywhere" error={signOut.error} />}
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          kind="danger"
          isPending={signOut.isPending}
          pendingText="Signing out …"
          onPress={() => signOut.mutate()}
        >
          Sign out everywhere
        </Button>
      </DialogActions>
    </Dialog>
  );
}
