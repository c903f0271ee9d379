import { useEffect } from 'react';
import { ANSWER } from './use-stage-view';

const FIELDS = 'input, textarea, select, [contenteditable]';
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

interface RunKeys {
  /** True if single keys do something. */
  readonly isOn: boolean;
  readonly seats: readonly string[];
  readonly onStop: () => void;
  readonly onFocus: (seat: string) => void;
  /** Goes to the card of a seat, or to the answer. */
  readonly onGo: (part: string) => void;
}

/** The shortcuts of a run. Keys that are typed into a field, or are meant for a dialog or menu, are not taken for them. */
export function useRunKeys(keys: RunKeys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isForOthers(event)) return;
      if (event.key === 'Escape') keys.onStop();
      else if (keys.isOn && !isTyped(event) && act(event.key, keys)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [keys]);
}

function isForOthers({ defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return defaultPrevented || ctrlKey || metaKey || altKey || document.querySelector(OVERLAYS) !== null;
}

function isTyped({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

/** True if the key is one that does something; it is done then. */
function act(key: string, { seats, onFocus, onGo }: RunKeys): boolean {
  const part = key === 'v' ? ANSWER : seats[Number(key) - 1];
  if (part !== undefined) {
    onGo(part);
    return true;
  }
  const focused = seats.find((one) => document.getElementById(`card-${one}`)?.contains(document.activeElement));
  const chosen = focused ?? seats[0];
  if (key !== 'f' || chosen === undefined) return false;
  onFocus(chosen);
  return true;
}
