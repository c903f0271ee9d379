const PREFIX = 'kept:';
/** A browser gives an origin some five million; more than this is not kept. */
const CHARACTERS_MAX = 2_000_000;

/** `sessionStorage`: for this tab, until it is closed. `localStorage`: for the browser. */
export type Place = 'sessionStorage' | 'localStorage';

/** The values of this page, whole: also what a browser does not keep, such as files. */
const values = new Map<string, unknown>();

/** The name under which a value of an account is kept. */
export function keyOf(accountId: string, name: string): string {
  return `${PREFIX}${encodeURIComponent(accountId)}:${name}`;
}

/** The value as this page has it; undefined where it has none. */
export function heldValue(key: string): unknown {
  return values.get(key);
}

/** The value as the browser has kept it; undefined where it has none. */
export function readKept(place: Place, key: string): unknown {
  return inStorage(place, (storage) => JSON.parse(storage.getItem(key) ?? 'null') ?? undefined);
}

/** Keeps a value, and what is to be `written` of it, in the place of the one before. Of what is too large nothing is written. */
export function keep(place: Place, key: string, { value, written }: { value: unknown; written: unknown }): void {
  values.set(key, value);
  const text = JSON.stringify(written) ?? '';
  inStorage(place, (storage) => {
    storage.removeItem(key);
    if (text !== '' && text.length <= CHARACTERS_MAX) storage.setItem(key, text);
  });
}

/** Forgets what is kept for other accounts than this one; undefined: for all. */
export function forgetOthers(accountId: string | undefined): void {
  const own = accountId === undefined ? undefined : keyOf(accountId, '');
  const isOthers = (key: string): boolean => key.startsWith(PREFIX) && !(own && key.startsWith(own));
  for (const key of [...values.keys()].filter(isOthers)) values.delete(key);
  for (const place of ['sessionStorage', 'localStorage'] as const)
    inStorage(place, (storage) => {
      for (const key of Object.keys(storage).filter(isOthers)) storage.removeItem(key);
    });
}

/** Does something with the storage of the browser, which may be blocked or full: a value then lasts as long as the page. */
function inStorage<Result>(place: Place, act: (storage: Storage) => Result): Result | undefined {
  try {
    return act(window[place]);
  } catch {
    return undefined;
  }
}
