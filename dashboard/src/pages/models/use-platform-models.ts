import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { PLATFORM_MODELS_QUERY } from './models-queries';

/** The models that the deployment offers. */
export function usePlatformModels(): UseQueryResult<Schema<'PlatformModels'>> {
  const api = useApi();
  return useQuery({
    queryKey: PLATFORM_MODELS_QUERY,
    queryFn: () => bodyOrThrow(api.GET('/dashboard/models')),
  });
}
