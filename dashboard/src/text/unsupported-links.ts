import { createContext, useContext } from 'react';

/** The addresses in a text that stood in nothing it was made from, as the browser writes them. */
export const UnsupportedLinks = createContext<ReadonlySet<string>>(new Set());

/** True if an address is one of them. */
export function useIsUnsupported(href: string): boolean {
  return useContext(UnsupportedLinks).has(href);
}

/** Such addresses in the form in which links hold them; what is no address is left out. */
export function linkForms(urls: readonly string[]): ReadonlySet<string> {
  return new Set(urls.flatMap((url) => (URL.canParse(url) ? [new URL(url).href] : [])));
}
