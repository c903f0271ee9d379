import type { AnsweredCall } from '../../models/gateway/gateway-call';
import { type CallPurpose, WRITING } from '../../models/model';
import { addressKey, type WebSource, withoutOrigin } from '../../models/web-search';
import { addressesIn } from '../../prompting/addresses-in-text';
import type { Seat } from '../panel/panel';

/** Bounds of what is kept, shown to other models, and returned. */
const ADDRESSES_MAX = 10_000;
const SHOWN_MAX = 10;
const RETURNED_MAX = 40;
const UNSUPPORTED_MAX = 40;

/** Links that lead to a page by way of a provider: they would tell which model found it. */
const PROVIDERS_LINK = /^https:\/\/vertexaisearch\.cloud\.google\.com\//;

interface Caller {
  readonly seat: Pick<Seat, 'id'>;
  readonly purpose: CallPurpose;
}

export interface WebEnding {
  readonly sources: readonly WebSource[];
  readonly unsupportedUrls: readonly string[];
}

/** Pages found on the web during a run, and every address that its answer may have from somewhere. */
export class WebRecord {
  readonly #sources = new Map<string, Map<string, WebSource>>();
  readonly #known = new Set<string>();

  /** Takes the texts that the caller has sent: an address may come from there, too. */
  constructor(callersTexts: readonly string[]) {
    for (const text of callersTexts) this.#know(addressesIn(text));
  }

  /** Takes what a call has brought: pages, and the addresses in the text of a participant. */
  note({ seat, purpose }: Caller, { text, sources = [] }: Pick<AnsweredCall, 'text' | 'sources'>): void {
    this.#know(sources.map(({ url }) => url));
    if (WRITING.has(purpose)) this.#know(addressesIn(text));
    const own = this.#sources.get(seat.id) ?? new Map<string, WebSource>();
    for (const source of sources) own.set(addressKey(source.url), source);
    if (own.size > 0) this.#sources.set(seat.id, own);
  }

  sourcesOf({ id }: Pick<Seat, 'id'>): readonly WebSource[] {
    return [...(this.#sources.get(id)?.values() ?? [])].slice(0, RETURNED_MAX);
  }

  /** A text as others read it, with what its author found below it. */
  withSources(seat: Pick<Seat, 'id'>, text: string): string {
    const lines = this.sourcesOf(seat)
      .slice(0, SHOWN_MAX)
      .map(({ title, url }) => (PROVIDERS_LINK.test(url) ? `- ${title}` : `- ${title}: ${url}`));
    const shown = withoutOrigin(text);
    return lines.length === 0 ? shown : [shown, '', 'Pages its author found on the web:', ...lines].join('\n');
  }

  /** Pages found, those first that the answer names, and the addresses in it that no text named before. */
  endingOf(answer: string): WebEnding {
    const named = new Map(addressesIn(answer).map((address) => [addressKey(address), address]));
    const found = new Map([...this.#sources.values()].flatMap((own) => [...own]));
    const cited = [...found].filter(([key]) => named.has(key));
    const others = [...found].filter(([key]) => !named.has(key));
    const unsupported = [...named].filter(([key]) => !this.#known.has(key));
    return {
      sources: [...cited, ...others].slice(0, RETURNED_MAX).map(([, source]) => source),
      unsupportedUrls: unsupported.slice(0, UNSUPPORTED_MAX).map(([, address]) => address),
    };
  }

  #know(addresses: readonly string[]): void {
    for (const address of addresses) if (this.#known.size < ADDRESSES_MAX) this.#known.add(addressKey(address));
  }
}
