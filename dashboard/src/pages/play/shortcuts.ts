const STORED = 'shortcuts';
const OFF = 'off';

/** The keys of the page of a run, and what they do. */
export const SHORTCUTS = [
  { keys: 'Ctrl + Enter', does: 'runs what is set up' },
  { keys: 'Esc', does: 'stops the run' },
  { keys: '1 – 9', does: 'goes to the card of a participant' },
  { keys: 'v', does: 'goes to the answer' },
  { keys: 'f', does: 'shows the focused card alone, or else the first' },
] as const;

/** True if single keys do something, in this browser. */
export function hasShortcuts(): boolean {
  try {
    return localStorage.getItem(STORED) !== OFF;
  } catch {
    return true;
  }
}

/** Switches that on or off. */
export function setShortcuts(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, OFF);
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}
