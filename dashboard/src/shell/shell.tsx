import type { ReactNode } from 'react';
import type { Account } from '../session/session';
import { AccountMenu } from './account-menu';
import { Navigation } from './navigation';
import { PlayLinks } from './play-links';
import styles from './shell.module.css';

/** The frame of all pages: where one can go, who is signed in, and the page. */
export function Shell({ account, children }: { readonly account: Account; readonly children: ReactNode }) {
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#page">
        Skip to the page
      </a>
      <header className={styles.rail}>
        <div className={styles.brand}>
          <img src="/icon.svg" alt="" width={24} height={24} />
          <span>Ensemble API</span>
        </div>
        <Navigation />
        <AccountMenu account={account} />
      </header>
      <main id="page" className={styles.page} tabIndex={-1}>
        <PlayLinks />
        {children}
      </main>
    </div>
  );
}
