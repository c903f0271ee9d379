import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context';
import { bodyOrThrow } from '../../api/client';
import { Button } from '../../ui/button';
import { ErrorState } from '../../ui/error-state';
import { Moment } from '../../ui/moment';
import { Panel } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { actorWords, actWords } from './act-words';
import styles from './plan.module.css';

const ROWS_MORE = 8;

/** Acts on the account, by whom and from where, newest first; a few at first. */
export function RecentActivity() {
  const api = useApi();
  const [rows, setRows] = useState(ROWS_MORE);
  const audit = useQuery({ queryKey: ['audit'], queryFn: () => bodyOrThrow(api.GET('/dashboard/audit')) });
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => bodyOrThrow(api.GET('/dashboard/keys')) });
  const names = new Map(keys.data?.keys.map(({ id, name }) => [id, name]));
  const acts = audit.data?.acts ?? [];
  return (
    <Panel title="Recent activity">
      {audit.isPending && <Skeleton label="Loading your recent activity" rows={3} />}
      {audit.isError && (
        <ErrorState title="Your recent activity could not be loaded" error={audit.error} onRetry={audit.refetch} />
      )}
      {audit.data && acts.length === 0 && <p>Nothing has been done to this account yet.</p>}
      <ol className={styles.acts}>
        {acts.slice(0, rows).map((act) => (
          <li key={act.id}>
            <p>{actWords(act, names)}</p>
            <p className={styles.about}>
              <span>{actorWords(act)}</span>
              <Moment at={act.at} />
              {act.network && <span>from {act.network}</span>}
              {act.target && <code>{act.target}</code>}
            </p>
          </li>
        ))}
      </ol>
      {acts.length > rows && (
        <div>
          <Button onPress={() => setRows(rows + ROWS_MORE)}>Show more</Button>
        </div>
      )}
    </Panel>
  );
}
