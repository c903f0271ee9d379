import { type KeyboardEvent, useRef, useState } from 'react';
import { lazyPart } from '../loading/lazy-part';
import { usePreloaded } from '../loading/use-preloaded';
import type { Account } from '../session/session';
import styles from './account-menu.module.css';

const loadList = () => import('./account-menu-list');
const AccountMenuList = lazyPart(loadList, { waiting: null });

/** The signed-in user, and behind the name the theme, the reference of the API, and the way out. */
export function AccountMenu({ account }: { readonly account: Account }) {
  const opener = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<'new' | 'open' | 'closed'>('new');
  const [isNear, setNear] = useState(false);
  usePreloaded(loadList, isNear);
  const openByArrow = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setState('open');
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={styles.opener}
        aria-haspopup="menu"
        aria-expanded={state === 'open'}
        onPointerEnter={() => setNear(true)}
        onClick={() => setState('open')}
        onKeyDown={openByArrow}
      >
        <span className={styles.initial} aria-hidden="true">
          {account.name.slice(0, 1).toUpperCase()}
        </span>
        <span className={styles.name}>{account.name}</span>
        <span className="visually-hidden">: account and theme</span>
      </button>
      {state !== 'new' && (
        <AccountMenuList
          account={account}
          opener={opener}
          isOpen={state === 'open'}
          onOpenChange={(isOpen) => setState(isOpen ? 'open' : 'closed')}
        />
      )}
    </>
  );
}
