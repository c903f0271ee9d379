import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { useAction } from '../../api/use-action';
import { Button } from '../../ui/button';
import { DialogActions } from '../../ui/dialog';
import { ErrorState } from '../../ui/error-state';
import { count } from '../../ui/format-number';

interface DeleteRouterKeyProps {
  /** Number of the router's models that cannot be asked without it. */
  readonly modelCount: number;
  readonly onDone: (now: Schema<'RouterKey'>) => void;
  readonly onCancel: () => void;
}

/** A warning of what stops working without the key. */
export function DeleteRouterKey({ modelCount, onDone, onCancel }: DeleteRouterKeyProps) {
  const api = useApi();
  const deleting = useAction(() => bodyOrThrow(api.DELETE('/dashboard/router-key')));
  const remove = async (): Promise<void> => {
    const now = await deleting.run(undefined);
    if (now) onDone(now);
  };
  return (
    <>
      <p>
        {modelCount === 1 ? 'Your model' : `Your ${count(modelCount)} models`} of the router can no longer be asked:
        runs that name one are refused until a key is saved again. The models stay in your list.
      </p>
      <p>The key stays valid at the router: to end it there as well, do so in your account at the router.</p>
      {deleting.error !== undefined && <ErrorState title="The key was not deleted" error={deleting.error} />}
      <DialogActions>
        <Button onPress={onCancel} autoFocus>
          Keep it
        </Button>
        <Button kind="danger" onPress={remove} isPending={deleting.isPending} pendingText="Deleting …">
          Delete key
        </Button>
      </DialogActions>
    </>
  );
}
