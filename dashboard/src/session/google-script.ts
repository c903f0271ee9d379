const GOOGLE = 'https://apis.google.com';

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string | null }): unknown;
}

/**
 * Lets Firebase load the script of Google's window, which it does by an address that is a text: Trusted Types refuse any
 * other script. On a server of one machine, where this is not called, no policy may be made at all.
 */
export function allowGoogleScript(): void {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', { createScriptURL: allowedScript });
}

/** The address where it is Google's, else null, which refuses it. */
export function allowedScript(url: string): string | null {
  return URL.parse(url)?.origin === GOOGLE ? url : null;
}
