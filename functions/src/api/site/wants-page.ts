import type { RequestHeaders } from '../../http/route';

/** Browsers name HTML when they open an address; no SDK and no `curl` does. */
export function wantsPage({ accept = '' }: RequestHeaders): boolean {
  return accept.includes('text/html');
}
