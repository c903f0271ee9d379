import { useSyncExternalStore } from 'react';

/** A hook for a part of the program that is loaded once, when it is first needed. It is undefined until it has come. */
export function lazyModule<Module>(load: () => Promise<Module>): (isNeeded: boolean) => Module | undefined {
  const listeners = new Set<() => void>();
  let loaded: Module | undefined;
  let isLoading = false;
  const begin = async (): Promise<void> => {
    isLoading = true;
    try {
      loaded = await load();
      for (const listener of listeners) listener();
    } catch {
      // Texts are shown without it; the next one that needs it tries again.
      isLoading = false;
    }
  };
  const subscribe = (listener: () => void): (() => void) => {
    if (!isLoading) void begin();
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const read = (): Module | undefined => loaded;
  return (isNeeded) => useSyncExternalStore(isNeeded ? subscribe : NEVER, read, read);
}

const NEVER = (): (() => void) => () => {};
