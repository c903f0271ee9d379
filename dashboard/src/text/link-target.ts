/** The target of a link. */
export interface LinkTarget {
  readonly href: string;
  /** The part that its reader should know before following it: the host, or of an address for letters all of it. */
  readonly host: string;
  /** It carries so much that a text could be sent away in it: its reader is asked first. */
  readonly isLong: boolean;
}

const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
/** Longest host, and longest part behind it, that needs no question: most addresses of pages are shorter. */
const CARRIED_MAX_CHARACTERS = 64;
const HREF_MAX_CHARACTERS = 2_000;

/** Undefined for what is no address of the web or for letters, such as `javascript:` and `data:`. */
export function linkTarget(address: string): LinkTarget | undefined {
  if (address.length > HREF_MAX_CHARACTERS || !URL.canParse(address)) return undefined;
  const { protocol, href, host, pathname, search, hash, username, password } = new URL(address);
  if (!PROTOCOLS.has(protocol) || username !== '' || password !== '') return undefined;
  const carried = `${pathname}${search}${hash}`.replace(/^\//, '').length;
  return { href, host: host || pathname, isLong: Math.max(carried, host.length) > CARRIED_MAX_CHARACTERS };
}
