import { useState } from 'react';
import { NEW_SETTINGS, type RunSettings } from './run-settings';
import { useSuggestions } from './use-suggestions';

/** The settings of the next run: what is suggested, until the user has changed something. */
export function useRunSettings(initial?: RunSettings): readonly [RunSettings, (settings: RunSettings) => void] {
  const suggestions = useSuggestions();
  const [changed, setChanged] = useState(initial);
  const { participants = [], arbiter = '' } = suggestions ?? {};
  return [changed ?? { ...NEW_SETTINGS, participants, arbiter }, setChanged];
}
