import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { ErrorState } from '../../ui/error-state';
import { Page, Panel } from '../../ui/page';
import { SearchField } from '../../ui/search-field';
import { Skeleton } from '../../ui/skeleton';
import { useSettled } from '../../ui/use-settled';
import { DeleteRuns, type ToDelete } from './delete-runs';
import { OpenRunFile } from './open-run-file';
import { RUNS_QUERY, runListRequests } from './run-list-requests';
import { RunTable } from './run-table';
import styles from './runs.module.css';

const WORDS_CHARACTERS_MAX = 200;

/** The user's kept runs, newest first. */
export default function RunsPage() {
  const api = useApi();
  const requests = useMemo(() => runListRequests(api), [api]);
  const queries = useQueryClient();
  const [words, setWords] = useState('');
  const [toDelete, setToDelete] = useState<ToDelete>();
  const q = useSettled(words.trim());
  const pages = useInfiniteQuery({
    queryKey: [...RUNS_QUERY, q],
    queryFn: ({ pageParam: before, signal }) => requests.list({ q, signal, ...(before !== undefined && { before }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const runs = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const isEmpty = pages.data !== undefined && runs.length === 0;
  return (
    <Page
      title="Runs"
      lead="What you have asked in the playground. Only you see your runs; they are deleted by themselves in time."
      actions={
        <>
          <OpenRunFile />
          {runs.length > 0 && <Button onPress={() => setToDelete({ is: 'all' })}>Delete all …</Button>}
        </>
      }
    >
      {(q !== '' || words !== '' || runs.length > 0) && (
        <SearchField label="Search in prompts" value={words} onChange={setWords} maxLength={WORDS_CHARACTERS_MAX} />
      )}
      {pages.isPending && <Skeleton label="Loading your runs" rows={5} rowHeight="48px" />}
      {pages.isError && (
        <ErrorState title="Your runs could not be loaded" error={pages.error} onRetry={() => void pages.refetch()} />
      )}
      {isEmpty && q !== '' && <p role="status">No prompt has these words.</p>}
      {isEmpty && q === '' && (
        <EmptyState
          title="No runs yet. What you ask in the playground is kept here."
          action={
            <Link href="/play" className={styles.link}>
              Go to the playground
            </Link>
          }
        />
      )}
      {runs.length > 0 && (
        <Panel>
          <RunTable runs={runs} requests={requests} onDelete={(run) => setToDelete({ is: 'one', run })} />
          {pages.hasNextPage && (
            <Button
              onPress={() => void pages.fetchNextPage()}
              isPending={pages.isFetchingNextPage}
              pendingText="Loading …"
            >
              Show older runs
            </Button>
          )}
        </Panel>
      )}
      {toDelete && (
        <DeleteRuns
          target={toDelete}
          requests={requests}
          onClose={() => setToDelete(undefined)}
          onDone={() => {
            setToDelete(undefined);
            void queries.invalidateQueries({ queryKey: RUNS_QUERY });
          }}
        />
      )}
    </Page>
  );
}
