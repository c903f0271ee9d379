import type { ReactNode } from 'react';
import styles from './page.module.css';
import { useWindowTitle } from './use-window-title';

interface PageProps {
  readonly title: string;
  /** One sentence under the title. */
  readonly lead?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  /** It uses the whole width of the window. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A page: its title, which is also that of the browser's window, and what is on it. */
export function Page({ title, lead, actions, isWide = false, children }: PageProps) {
  useWindowTitle(title);
  return (
    <div className={styles.page} {...(isWide && { 'data-wide': '' })}>
      <div className={styles.head}>
        <div>
          <h1>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** A part of a page, with a frame around it. */
export function Panel({
  title,
  actions,
  children,
}: {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.panel} {...(title !== undefined && { 'aria-label': title })}>
      {title && (
        <div className={styles.head}>
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}
