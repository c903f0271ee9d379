const PREFIX = 'kept:';
/** A browser gives an origin some five million; more than this is not kept. */
const CHARACTERS_MAX = 2_000_000;

/** `sessionStorage`: for this tab, until it is closed. `localStorage`: for the browser. */
export type Place = 'sessionStorage' | 'localStorage';

/** The name under which a value of an account is kept. */
export function keyOf(accountId: string, name: string): string {
  return `${PREFIX}${encodeURIComponent(accountId)}:${name}`;
}

/** The value that is kept there; undefined where none is, none can be read, or the browser keeps nothing. */
export function readKept(place: Place, key: string): unknown {
  try {
    return JSON.parse(window[place].getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value in the place of the one before. Of one that is too large nothing is kept, nor what was there before. */
export function keep(place: Place, key: string, value: unknown): void {
  const text = JSON.stringify(value) ?? '';
  try {
    window[place].removeItem(key);
    if (text !== '' && text.length <= CHARACTERS_MAX) window[place].setItem(key, text);
  } catch {
    // Storage is blocked or full: the value lasts as long as the page.
  }
}

/** Forgets what is kept for other accounts than this one; undefined: for all. */
export function forgetOthers(accountId: string | undefined): void {
  const own = accountId === undefined ? undefined : keyOf(accountId, '');
  for (const place of ['sessionStorage', 'localStorage'] as const) {
    try {
      for (const key of Object.keys(window[place])) {
        if (key.startsWith(PREFIX) && !(own && key.startsWith(own))) window[place].removeItem(key);
      }
    } catch {
      // Storage is blocked: nothing is kept.
    }
  }
}
