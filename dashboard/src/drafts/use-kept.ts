import { useEffect, useState } from 'react';
import { useSession, useSignIn } from '../session/session-context';
import { forgetOthers, keep, keyOf, type Place, readKept } from './browser-store';

const STILL_MS = 250;

/** The values of this page as they are now, whole: also what a browser does not keep, such as files. */
const values = new Map<string, unknown>();
/** The values that are still to be written, by key. */
const unwritten = new Map<string, () => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** How a value is kept. */
interface KeptAs<Value> {
  readonly place: Place;
  /** Reads what was written, by whatever version of the page; undefined: nothing is kept. */
  readonly read: (kept: unknown) => Value;
  /** As much of the value as is written; by default all. */
  readonly write?: (value: Value) => unknown;
  /** A value that goes before what is kept, where there is one when the part of the page is opened. */
  readonly first?: (kept: unknown) => Value | undefined;
}

/** A value that outlives its part of the page, and a reload: kept in this browser for the account that is signed in. */
export function useKept<Value>(name: string, { place, read, write, first }: KeptAs<Value>) {
  const key = keyOf(useAccountId(), name);
  const remember = (next: Value): Value => {
    values.set(key, next);
    unwritten.set(key, () => keep(place, key, write ? write(next) : next));
    clearTimeout(timer);
    timer = setTimeout(writeAll, STILL_MS);
    return next;
  };
  const [value, setValue] = useState((): Value => {
    const kept = values.get(key) ?? readKept(place, key);
    const instead = first?.(kept);
    if (instead !== undefined) return remember(instead);
    return values.has(key) ? (kept as Value) : read(kept);
  });
  return [value, (next: Value): void => setValue(remember(next))] as const;
}

/** The id of the account that is signed in; empty where none is. */
export function useAccountId(): string {
  const signIn = useSignIn();
  return signIn.is === 'somebody' ? signIn.account.id : '';
}

/** Lets no account see what another has left in this browser. A server of one machine has one user, who stays the same. */
export function useOwnKeptAlone(): void {
  const accountId = useAccountId();
  const { is } = useSignIn();
  const { ways } = useSession();
  useEffect(() => {
    if (is === 'somebody') forget(accountId);
    else if (is !== 'unknown' && ways) forget(undefined);
  }, [is, accountId, ways]);
}

function forget(accountId: string | undefined): void {
  if (accountId === undefined && location.hash !== '')
    history.replaceState(null, '', location.pathname + location.search);
  const own = accountId === undefined ? undefined : keyOf(accountId, '');
  for (const map of [values, unwritten]) {
    for (const key of map.keys()) if (own === undefined || !key.startsWith(own)) map.delete(key);
  }
  forgetOthers(accountId);
}

function writeAll(): void {
  for (const write of unwritten.values()) write();
  unwritten.clear();
}

// A page that is hidden may be ended without a further word.
addEventListener('pagehide', writeAll);
document.addEventListener('visibilitychange', writeAll);
