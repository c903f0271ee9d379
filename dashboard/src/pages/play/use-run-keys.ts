import { useEffect } from 'react';

const FIELDS = 'input, textarea, select, [contenteditable]';
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

interface RunKeys {
  /** True if single keys do something. */
  readonly isOn: boolean;
  readonly seats: readonly string[];
  readonly onStop: () => void;
  readonly onFocus: (seat: string) => void;
}

/** The shortcuts of a run. Keys that are typed into a field, or are meant for a dialog or menu, are not taken for them. */
export function useRunKeys({ isOn, seats, onStop, onFocus }: RunKeys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isForOthers(event)) return;
      if (event.key === 'Escape') onStop();
      else if (isOn && !isTyped(event) && act(event.key, seats, onFocus)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn, seats, onStop, onFocus]);
}

function isForOthers({ defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return defaultPrevented || ctrlKey || metaKey || altKey || document.querySelector(OVERLAYS) !== null;
}

function isTyped({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

/** True if the key is one that does something; it is done then. */
function act(key: string, seats: readonly string[], onFocus: RunKeys['onFocus']): boolean {
  const seat = seats[Number(key) - 1];
  if (seat !== undefined) return goTo(`card-${seat}`);
  if (key === 'v') return goTo('card-verdict');
  const focused = seats.find((one) => document.getElementById(`card-${one}`)?.contains(document.activeElement));
  const chosen = focused ?? seats[0];
  if (key !== 'f' || chosen === undefined) return false;
  onFocus(chosen);
  return true;
}

function goTo(id: string): boolean {
  const card = document.getElementById(id);
  card?.focus({ preventScroll: true });
  card?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  return card !== null;
}
