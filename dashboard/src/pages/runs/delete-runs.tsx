import { useAction } from '../../api/use-action';
import type { RunSummary } from '../../run/run-summary';
import { visibleText } from '../../text/visible-text';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { ErrorState } from '../../ui/error-state';
import type { runListRequests } from './run-list-requests';
import styles from './runs.module.css';

/** The runs to be deleted. */
export type ToDelete = { readonly is: 'one'; readonly run: RunSummary } | { readonly is: 'all' };

interface DeleteRunsProps {
  readonly target: ToDelete;
  readonly requests: ReturnType<typeof runListRequests>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** A warning of what is lost when a run is deleted, or all of them. */
export function DeleteRuns({ target, requests, onDone, onClose }: DeleteRunsProps) {
  const deleting = useAction(() => (target.is === 'one' ? requests.remove(target.run.id) : requests.removeAll()));
  const isRunning = target.is === 'one' && target.run.state === 'running';
  const remove = async (): Promise<void> => {
    if ((await deleting.run(undefined)) !== undefined) onDone();
  };
  return (
    <Dialog
      title={target.is === 'one' ? 'Delete this run?' : 'Delete all runs?'}
      isOpen
      onClose={onClose}
      role="alertdialog"
    >
      {target.is === 'one' && (
        <p className={styles.quoted} dir="auto">
          {visibleText(target.run.prompt)}
        </p>
      )}
      <p>
        {isRunning ? 'It is still running, and will be stopped. ' : ''}
        The texts and the trace are gone for good; what the models have cost stays in your usage.
      </p>
      {deleting.error !== undefined && <ErrorState title="Nothing was deleted" error={deleting.error} />}
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          Keep {target.is === 'one' ? 'it' : 'them'}
        </Button>
        <Button kind="danger" onPress={remove} isPending={deleting.isPending} pendingText="Deleting …">
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  );
}
