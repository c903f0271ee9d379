import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { ROUTER_MODELS_QUERY } from './models-queries';

/** The models of a router that the user added. */
export function useRouterModels(): UseQueryResult<Schema<'RouterModelList'>> {
  const api = useApi();
  return useQuery({
    queryKey: ROUTER_MODELS_QUERY,
    queryFn: () => bodyOrThrow(api.GET('/dashboard/router-models')),
  });
}
