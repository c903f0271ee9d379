import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { KEYS_QUERY } from './keys';

const POLL_MS = 20_000;

/** The user's keys, read again and again while the page is to be seen. */
export function useKeys(everyMs = POLL_MS): UseQueryResult<Schema<'KeyList'>> {
  const api = useApi();
  return useQuery({
    queryKey: KEYS_QUERY,
    queryFn: () => bodyOrThrow(api.GET('/dashboard/keys')),
    refetchInterval: everyMs,
  });
}
