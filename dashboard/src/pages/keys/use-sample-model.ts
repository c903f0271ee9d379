import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context';
import { bodyOrThrow } from '../../api/client';
import type { Key } from './keys';
import { sampleModel } from './sample-model';

/** A model that a first call with a key can name; undefined: it may not ask for chat completions. */
export function useSampleModel({ models: allowed, endpoints }: Pick<Key, 'models' | 'endpoints'>): string | undefined {
  const api = useApi();
  const models = useQuery({
    queryKey: ['models'],
    queryFn: () => bodyOrThrow(api.GET('/dashboard/models')),
    enabled: allowed !== undefined,
  });
  if (endpoints && !endpoints.includes('chat.completions')) return undefined;
  const offered = models.data?.models.map(({ id }) => id) ?? [];
  return sampleModel(offered, allowed);
}
