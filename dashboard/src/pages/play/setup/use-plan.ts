import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context';
import { bodyOrThrow, type Schema } from '../../../api/client';
import { useSettled } from '../../../ui/use-settled';
import { asRequest, bodyOf } from './run-body';
import { missingIn, type RunSettings } from './run-settings';

/** The plan of a run with these settings, asked of the server whenever they have come to rest. */
export function usePlan(settings: RunSettings): UseQueryResult<Schema<'Plan'>> {
  const api = useApi();
  // Files say nothing of calls; they would be sent again with every word typed.
  const settled = useSettled(JSON.stringify(bodyOf({ ...settings, files: [] })));
  return useQuery({
    queryKey: ['run-plan', settled],
    queryFn: ({ signal }) => {
      const body = asRequest(JSON.parse(settled));
      return bodyOrThrow(api.POST('/dashboard/runs/plan', { body, signal }));
    },
    enabled: missingIn(settings) === undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}
