import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context';
import { bodyOrThrow } from '../../../api/client';
import { PLATFORM_MODELS_QUERY } from '../../models/models-queries';

/** What the server suggests for a first run. */
export interface Suggestions {
  readonly prompts: readonly string[];
  readonly participants: readonly string[];
  readonly arbiter: string;
  /** Whether only scripted models are there to answer. */
  readonly scripted: boolean;
}

/** The suggestions; undefined until they are read. */
export function useSuggestions(): Suggestions | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: PLATFORM_MODELS_QUERY,
    queryFn: () => bodyOrThrow(api.GET('/dashboard/models')),
  });
  return (data as unknown as { suggestions?: Suggestions } | undefined)?.suggestions;
}
