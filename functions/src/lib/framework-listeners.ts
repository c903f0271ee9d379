/** As much of Node's `process` as it takes. */
export type ListenedTo = Pick<NodeJS.Process, 'on' | 'off'>;

type Listener = (...told: unknown[]) => void;

/**
 * Takes the listeners of the Functions Framework off `process` as they are added; `taken` is called with each. They end the
 * process at once, with whatever is under way in it, and there is no setting for that.
 */
export function takeFrameworkListeners(
  process: ListenedTo,
  events: readonly string[],
  taken: (event: string, listener: Listener) => void,
): void {
  process.on('newListener', (event: string, listener: Listener) => {
    // By what it calls: nothing else tells it from the listeners of, say, an OpenTelemetry SDK, which stay.
    if (!events.includes(event) || !String(listener).includes('sendCrashResponse')) return;
    queueMicrotask(() => {
      process.off(event, listener);
      taken(event, listener);
    });
  });
}
