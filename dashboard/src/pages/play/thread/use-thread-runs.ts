import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context';
import { bodyOrThrow } from '../../../api/client';
import type { RunSummary } from '../../../run/run-summary';
import { threadOf } from './next-request';
import { useConversation } from './use-conversation';

const NONE: readonly RunSummary[] = [];

/** The kept runs of the page's conversation, oldest first, as far as they are read. */
export function useThreadRuns(): readonly RunSummary[] {
  const api = useApi();
  const { asked, isOver } = useConversation() ?? {};
  // Of one that is not kept the run before it may be.
  const id = asked?.body.store === false ? threadOf(asked)?.earlier.at(-1) : asked?.runId;
  const { data } = useQuery({
    queryKey: ['thread', id, isOver],
    queryFn: ({ signal }) =>
      bodyOrThrow(api.GET('/dashboard/runs/{id}/thread', { params: { path: { id: id ?? '' } }, signal })),
    enabled: id !== undefined,
    placeholderData: keepPreviousData,
    // Another run of it may have begun, here or in another tab.
    staleTime: 0,
  });
  return data?.data ?? NONE;
}
