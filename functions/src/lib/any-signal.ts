/** Aborts with the first of its sources. `AbortSignal.any` would keep all of a request until a full collection. */
export function anySignal(...sources: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  const aborted = sources.find((source) => source.aborted);
  if (aborted) controller.abort(aborted.reason);
  else
    for (const source of sources)
      source.addEventListener('abort', () => controller.abort(source.reason), { once: true });
  return controller.signal;
}
