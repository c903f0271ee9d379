import type { WebSource } from './web-search';

const URL_CHARACTERS_MAX = 2_000;
const TITLE_CHARACTERS_MAX = 200;

/** Characters that are unseen, end a line or turn the direction of writing: a title is one line of plain text. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;

/** A page as a provider tells of it; undefined for what is no address of the web, or has a password in it. */
export function webSource(url: unknown, title: unknown): WebSource | undefined {
  if (typeof url !== 'string' || url.length > URL_CHARACTERS_MAX) return undefined;
  const address = webAddress(url);
  if (address?.username !== '' || address.password !== '') return undefined;
  const { hostname } = address;
  return { url: withoutOrigin(address.href), title: lineOf(title) || hostname };
}

/**
 * Form shared by the spellings of an address: neither protocol nor `www.`, fragment, slash at the end or marks of
 * where a reader comes from tell pages apart.
 */
export function addressKey(url: string): string {
  const address = webAddress(url);
  if (!address) return url;
  for (const name of [...address.searchParams.keys()]) if (name.startsWith('utm_')) address.searchParams.delete(name);
  const { host, pathname, search } = address;
  return `${host.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}${search}`;
}

/** Providers mark the addresses that their models name as coming from them: the mark would tell who wrote a text. */
const ORIGIN = /([?&])utm_source=(?:openai|chatgpt\.com)(?:&|(?![\w.-]))/g;

/** A text or an address without those marks. */
export function withoutOrigin(text: string): string {
  return text.replace(ORIGIN, (mark, before: string) => (mark.endsWith('&') ? before : ''));
}

function webAddress(url: string): URL | undefined {
  const address = URL.parse(url);
  return address && /^https?:$/.test(address.protocol) ? address : undefined;
}

/** No more is looked at than may be kept: a title may be a megabyte. */
function lineOf(title: unknown): string {
  if (typeof title !== 'string') return '';
  const line = title
    .slice(0, 4 * TITLE_CHARACTERS_MAX)
    .toWellFormed()
    .replace(UNSEEN, ' ')
    .trim();
  if (line.length <= TITLE_CHARACTERS_MAX) return line;
  const cut = line.slice(0, TITLE_CHARACTERS_MAX - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
