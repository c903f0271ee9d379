import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useApi } from './api-context';
import { bodyOrThrow, type Schema } from './client';

/** The user's plan, which several pages go by. */
export function useAccountPlan(): UseQueryResult<Schema<'AccountPlan'>> {
  const api = useApi();
  return useQuery({ queryKey: ['plan'], queryFn: () => bodyOrThrow(api.GET('/dashboard/plan')) });
}
