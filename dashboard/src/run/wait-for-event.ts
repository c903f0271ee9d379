interface Waiting {
  /** For so many milliseconds at most. */
  readonly ms: number;
  /** Or until it is aborted. */
  readonly signal: AbortSignal;
}

/** Resolves with the next event of that type, or as soon as it is not waited for any longer. */
export function waitForEvent(target: EventTarget, type: string, { ms, signal }: Waiting): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      target.removeEventListener(type, done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    target.addEventListener(type, done);
    signal.addEventListener('abort', done);
  });
}
