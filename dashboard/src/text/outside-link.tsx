import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button';
import { Dialog, DialogActions } from '../ui/dialog';
import { type LinkTarget, linkTarget } from './link-target';
import styles from './markdown.module.css';
import { useIsUnsupported } from './unsupported-links';
import { visibleText } from './visible-text';

interface OutsideLinkProps {
  readonly href: string;
  /** The words that its reader sees. */
  readonly text: string;
  readonly children: ReactNode;
}

/** A link that a model wrote: it says where it goes, and one that carries much asks first. */
export function OutsideLink({ href, text, children }: OutsideLinkProps) {
  const [isAsking, setAsking] = useState(false);
  const target = linkTarget(href);
  const isUnsupported = useIsUnsupported(target?.href ?? '');
  if (!target) return children;
  return (
    <>
      {target.isLong ? (
        <Button kind="quiet" onPress={() => setAsking(true)}>
          {children} …
        </Button>
      ) : (
        <a href={target.href} target="_blank" rel="noreferrer">
          {children}
        </a>
      )}
      {!tellsHost(text, target) && (
        <>
          {' '}
          <bdi className={styles.host}>({visibleText(target.host)})</bdi>
        </>
      )}
      {isUnsupported && <span className={styles.unsupported}> in no source</span>}
      {isAsking && <AskFirst target={target} onClose={() => setAsking(false)} />}
    </>
  );
}

/** True if the words of a link are its address. */
function tellsHost(text: string, { href, host }: LinkTarget): boolean {
  const words = text.trim();
  return (
    words === host || words === href || (URL.canParse(words) && new URL(words).host === host && !words.includes('@'))
  );
}

function AskFirst({ target, onClose }: { readonly target: LinkTarget; readonly onClose: () => void }) {
  return (
    <Dialog title={`Open a page of ${target.host}?`} isOpen onClose={onClose}>
      <p>
        A model wrote this address. It is long enough to pass on text of this conversation to whoever serves the page:
      </p>
      <p className={styles.address} dir="ltr">
        {visibleText(target.href)}
      </p>
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <a className={styles.open} href={target.href} target="_blank" rel="noreferrer">
          Open it
        </a>
      </DialogActions>
    </Dialog>
  );
}
