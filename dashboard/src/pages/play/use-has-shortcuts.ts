import { useState } from 'react';
import { hasShortcuts, setShortcuts } from './shortcuts';

/** True if single keys do something, and the way to switch that. */
export function useHasShortcuts(): { readonly isOn: boolean; readonly onChange: (isOn: boolean) => void } {
  const [isOn, setOn] = useState(hasShortcuts);
  const onChange = (next: boolean): void => {
    setShortcuts(next);
    setOn(next);
  };
  return { isOn, onChange };
}
