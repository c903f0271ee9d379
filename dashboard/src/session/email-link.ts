const ADDRESS_KEY = 'sign-in-address';
/** Firebase's parameters in the address of the page that a link leads to. */
const LINK_PARAMETERS = ['apiKey', 'oobCode', 'mode', 'lang', 'continueUrl', 'tenantId'];

/** The target of the link of an e-mail. */
export const linkTarget = (): string => `${location.origin}/sign-in`;

/** Keeps the address until its link comes back, for whoever opens it here need not write it again. Nothing else is kept. */
export function rememberAddress(email: string): void {
  try {
    localStorage.setItem(ADDRESS_KEY, email);
  } catch {
    // Storage is blocked: the address is asked for again.
  }
}

/** The address that a link was asked for with in this browser. */
export function rememberedAddress(): string | undefined {
  try {
    return localStorage.getItem(ADDRESS_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Forgets the address: its link has been used. */
export function forgetAddress(): void {
  try {
    localStorage.removeItem(ADDRESS_KEY);
  } catch {
    // Nothing was kept.
  }
}

/** An address of a page without what a link has put into it: its code signs in whoever has it. */
export function withoutLink(href: string): string {
  const url = new URL(href);
  for (const name of LINK_PARAMETERS) url.searchParams.delete(name);
  return `${url.pathname}${url.search}${url.hash}`;
}
