import type { Schema } from '../../../api/client';
import { usePlatformModels } from '../../models/use-platform-models';

/** The server's suggestions for a first run. */
export type Suggestions = Schema<'PlatformModels'>['suggestions'];

/** The suggestions; undefined until they are read. */
export function useSuggestions(): Suggestions | undefined {
  return usePlatformModels().data?.suggestions;
}
