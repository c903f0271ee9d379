import { ApiError } from '../api/api-error';
import { Button } from './button';
import { CopyButton } from './copy-button';
import styles from './notice.module.css';
import { RetryLater } from './retry-later';

interface ErrorStateProps {
  /** The action that failed. */
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** The failure, what to do, and the id by which operators find it. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  const { message, requestId } = toldOf(error);
  const retryAtMs = error instanceof ApiError ? error.retryAtMs : undefined;
  return (
    <div className={styles.error}>
      <div role="alert" className={styles.told}>
        <p className={styles.title}>{title}</p>
        <p>{message}</p>
        <div className={styles.row}>
          {onRetry && retryAtMs === undefined && <Button onPress={onRetry}>Try again</Button>}
          {requestId && (
            <>
              <span>
                Request <code>{requestId}</code>
              </span>
              <CopyButton text={requestId} what="request id" kind="quiet" />
            </>
          )}
        </div>
      </div>
      {retryAtMs !== undefined && <RetryLater key={retryAtMs} atMs={retryAtMs} onRetry={onRetry} />}
    </div>
  );
}

/** The words for an error of the API; of anything else that the page itself is at fault. */
export function toldOf(error: unknown): { readonly message: string; readonly requestId?: string | undefined } {
  if (error instanceof ApiError) return { message: error.message, requestId: error.requestId };
  return { message: 'Something went wrong on this page. Reload it and try again.' };
}
