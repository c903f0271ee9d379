import { useEffect, useState } from 'react';
import { useSession, useSignIn } from '../session/session-context';
import { forgetOthers, heldValue, keep, keyOf, type Place, readKept } from './kept-values';

/** Place and form in which a value is kept. */
interface KeptAs<Value> {
  readonly place: Place;
  /** Reads what was written, by whatever version of the page; undefined: nothing is kept. */
  readonly read: (kept: unknown) => Value;
  /** Gives the part of the value that is written; by default all. */
  readonly write?: (value: Value) => unknown;
  /** A value that goes before what is kept, where there is one when the part of the page is opened. */
  readonly first?: (kept: unknown) => Value | undefined;
}

/** A value that outlives its part of the page, and a reload: kept in this browser for the account that is signed in. */
export function useKept<Value>(name: string, { place, read, write, first }: KeptAs<Value>) {
  const key = keyOf(useAccountId(), name);
  const remember = (value: Value): Value => {
    keep(place, key, { value, written: write ? write(value) : value });
    return value;
  };
  const [value, setValue] = useState((): Value => {
    const there = heldValue(key);
    const kept = there ?? readKept(place, key);
    const instead = first?.(kept);
    if (instead !== undefined) return remember(instead);
    return there === undefined ? read(kept) : (there as Value);
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
    if (is === 'somebody') forgetOthers(accountId);
    else if (is !== 'unknown' && ways) {
      if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
      forgetOthers(undefined);
    }
  }, [is, accountId, ways]);
}
