import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { useAction } from '../../api/use-action';
import { Button } from '../../ui/button';
import { ErrorState } from '../../ui/error-state';
import { Panel } from '../../ui/page';
import { saveFile } from '../../ui/save-file';
import { SearchField } from '../../ui/search-field';
import { SelectField } from '../../ui/select-field';
import { Skeleton } from '../../ui/skeleton';
import { useSettled } from '../../ui/use-settled';
import { RequestTable } from './request-table';
import { requestsCsv } from './requests-csv';
import styles from './usage.module.css';
import type { UsageLine } from './usage-lines';

const WORDS_CHARACTERS_MAX = 200;
const ALL_KEYS = '';
/** A file has no more requests, so that it is made in seconds. */
const SAVED_MAX = 2_000;

interface RequestLogProps {
  /** The keys that were used lately. */
  readonly keys: readonly Pick<UsageLine, 'id' | 'name'>[];
  /** Undefined: of all keys. */
  readonly ofKey: string | undefined;
  readonly onKey: (id: string | undefined) => void;
}

/** The last requests, newest first, of all keys or of one, with the words that are looked for. */
export default function RequestLog({ keys, ofKey, onKey }: RequestLogProps) {
  const api = useApi();
  const [words, setWords] = useState('');
  const q = useSettled(words.trim());
  const read = (before: string | undefined) => {
    const query = { ...(ofKey !== undefined && { key: ofKey }), ...(q !== '' && { q }), ...(before && { before }) };
    return bodyOrThrow(api.GET('/dashboard/usage/requests', { params: { query } }));
  };
  const pages = useInfiniteQuery({
    queryKey: ['requests', ofKey, q],
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
  });
  const saving = useAction(async () => {
    const all: Schema<'LoggedRequest'>[] = [];
    let next: string | undefined;
    do {
      const page = await read(next);
      all.push(...page.data);
      next = page.next;
    } while (next !== undefined && all.length < SAVED_MAX);
    saveFile({ name: 'requests.csv', type: 'text/csv;charset=utf-8', text: requestsCsv(all) });
  });
  const requests = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const known =
    ofKey === undefined || keys.some(({ id }) => id === ofKey) ? keys : [...keys, { id: ofKey, name: ofKey }];
  const labelOf = ({ id, name }: RequestLogProps['keys'][number]): string =>
    known.filter((key) => key.name === name).length > 1 ? `${name} (${id})` : name;
  return (
    <Panel>
      <div className={styles.logBar}>
        <SelectField
          label="Key"
          options={[{ id: ALL_KEYS, label: 'All keys' }, ...known.map((key) => ({ id: key.id, label: labelOf(key) }))]}
          value={ofKey ?? ALL_KEYS}
          onChange={(id) => onKey(id === ALL_KEYS ? undefined : id)}
        />
        <SearchField
          label="Model, strategy, endpoint or outcome"
          value={words}
          onChange={setWords}
          maxLength={WORDS_CHARACTERS_MAX}
        />
        <Button
          icon="download"
          onPress={() => void saving.run(undefined)}
          isPending={saving.isPending}
          pendingText="Reading …"
        >
          CSV
        </Button>
      </div>
      {saving.error !== undefined && <ErrorState title="The requests were not saved" error={saving.error} />}
      {pages.isPending && <Skeleton label="Loading the requests" rows={5} />}
      {pages.isError && (
        <ErrorState title="The requests could not be read" error={pages.error} onRetry={() => void pages.refetch()} />
      )}
      {pages.data && requests.length === 0 && (
        <p role="status">{pages.hasNextPage ? 'None among the last 2,000 requests.' : 'There are no such requests.'}</p>
      )}
      {requests.length > 0 && <RequestTable requests={requests} />}
      {pages.hasNextPage && (
        <Button onPress={() => void pages.fetchNextPage()} isPending={pages.isFetchingNextPage} pendingText="Loading …">
          Show older requests
        </Button>
      )}
    </Panel>
  );
}
