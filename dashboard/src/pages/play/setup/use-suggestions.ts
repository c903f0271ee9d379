import type { Schema } from '../../../api/client';
import { usePlatformModels } from '../../models/use-platform-models';
import type { RunSettings } from './run-settings';

/** The server's suggestions for a first run. */
export type Suggestions = Schema<'PlatformModels'>['suggestions'];

/** The suggestions; undefined until they are read. */
export function useSuggestions(): Suggestions | undefined {
  return usePlatformModels().data?.suggestions;
}

/** The panel that they suggest, and how long it is waited for. */
export function suggestedSettings(
  suggestions: Suggestions | undefined,
): Pick<RunSettings, 'participants' | 'arbiter' | 'graceSeconds'> {
  const { participants = [], arbiter = '', graceSeconds } = suggestions ?? {};
  return { participants, arbiter, graceSeconds: graceSeconds === undefined ? '' : String(graceSeconds) };
}
