import type { FoundPage, WebSource } from '../web-search';
import { addressKey, webSource } from '../web-source';

/** So many are kept of a reply, … */
const KEPT_MAX = 100;
/** … so many returned, and no more than so many looked at. */
const RETURNED_MAX = 20;
const LOOKED_AT_MAX = 1_000;

/** Pages that a model found on the web, as its provider reports them: bounded, each page once, nothing but web addresses. */
export class ReplySources {
  readonly #found = new Map<string, { source: WebSource; isCited: boolean }>();
  #lookedAt = 0;

  add(pages: readonly FoundPage[]): void {
    for (const { url, title, isCited = false } of pages) {
      if (this.#lookedAt >= LOOKED_AT_MAX) return;
      this.#lookedAt += 1;
      const source = webSource(url, title);
      if (source) this.#note(source, isCited);
    }
  }

  /** Those that the text refers to first; undefined when there are none. */
  list(): readonly WebSource[] | undefined {
    const found = [...this.#found.values()];
    const inOrder = [...found.filter(({ isCited }) => isCited), ...found.filter(({ isCited }) => !isCited)];
    return inOrder.length === 0 ? undefined : inOrder.slice(0, RETURNED_MAX).map(({ source }) => source);
  }

  #note(source: WebSource, isCited: boolean): void {
    const key = addressKey(source.url);
    const known = this.#found.get(key);
    if (known) known.isCited ||= isCited;
    else if (this.#found.size < KEPT_MAX) this.#found.set(key, { source, isCited });
  }
}
