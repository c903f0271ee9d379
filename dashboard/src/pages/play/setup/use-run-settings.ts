import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useAccountId, useKept } from '../../../drafts/use-kept';
import { useSettled } from '../../../ui/use-settled';
import { settingsIn, setUpOf, writtenSettings } from './kept-settings';
import { NEW_SETTINGS, type RunSettings } from './run-settings';
import { addressOf, settingsAt } from './settings-address';
import { suggestedSettings, useSuggestions } from './use-suggestions';

/** The page of a new run. */
const NEW_RUN = '/play';

/** The settings of the next run: those of an address, else as they were left, else the last panel, else what is suggested. */
export function useRunSettings(): readonly [RunSettings, (settings: RunSettings) => void] {
  const suggestions = useSuggestions();
  const accountId = useAccountId();
  const [path] = useLocation();
  const [panel, changePanel] = useKept('panel', { place: 'localStorage', read: settingsIn });
  const [draft, changeDraft] = useKept('run', {
    place: 'sessionStorage',
    read: settingsIn,
    write: (settings) => writtenSettings({ ...NEW_SETTINGS, ...settings }),
    first: (kept) => linkedSettings(accountId, kept !== undefined),
  });
  const settings = { ...NEW_SETTINGS, ...suggestedSettings(suggestions), ...panel, ...draft };
  const address = useSettled(draft ? addressOf(settings) : '');
  useEffect(() => {
    if (path === NEW_RUN && `#${address}` !== (location.hash || '#')) showAddress(address, accountId);
  }, [address, path, accountId]);
  useEffect(() => {
    const follow = (): void => {
      const linked = linkedSettings(accountId, true);
      if (linked) changeDraft(linked);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  });
  const change = (next: RunSettings): void => {
    changeDraft(next);
    const { instructions: _, ...set } = setUpOf(next);
    changePanel(set);
  };
  return [settings, change];
}

/** Says of whom the settings are, as well: the entries of a tab are there for whoever signs in next. */
function showAddress(address: string, draftOf: string): void {
  try {
    history.replaceState({ draftOf }, '', address === '' ? NEW_RUN : `${NEW_RUN}#${address}`);
  } catch {
    // Some browsers refuse an address that changes too often: the next one is shown.
  }
}

/**
 * The settings that the address of the page asks for. An address that the page has written itself asks for nothing that is
 * not kept besides, and never for what another account has left there.
 */
function linkedSettings(accountId: string, isKept: boolean): Partial<RunSettings> | undefined {
  const { draftOf } = (history.state ?? {}) as { readonly draftOf?: unknown };
  const isOwn = draftOf === accountId && !isKept;
  return location.pathname === NEW_RUN && (draftOf === undefined || isOwn)
    ? settingsAt(location.hash.slice(1))
    : undefined;
}
