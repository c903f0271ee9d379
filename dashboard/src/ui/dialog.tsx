import { type ReactNode, useEffect } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** False: a press beside it and Escape do not close it, as where something is shown only once. */
  readonly isDismissable?: boolean;
  /** `alertdialog` where something is about to be lost. */
  readonly role?: 'dialog' | 'alertdialog';
  /** `wide` for what is read, not filled in. */
  readonly size?: 'usual' | 'wide';
  readonly children: ReactNode;
}

/** A dialog over the page; on a phone a sheet from below. The focus goes back to what opened it, or, if that is gone, to the page. */
export function Dialog({
  title,
  isOpen,
  onClose,
  isDismissable = true,
  role = 'dialog',
  size = 'usual',
  children,
}: DialogProps) {
  useEffect(() => (isOpen ? focusPageIfLost : undefined), [isOpen]);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      className={styles.veil ?? ''}
    >
      <Modal className={`${styles.sheet} ${size === 'wide' ? styles.wide : ''}`}>
        <AriaDialog role={role} className={styles.dialog ?? ''}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Two frames later, for in the next one the focus is given back to what opened the dialog. */
function focusPageIfLost(): void {
  const focus = (): void => {
    if (document.activeElement === document.body) document.getElementById('page')?.focus();
  };
  requestAnimationFrame(() => requestAnimationFrame(focus));
}

/** The buttons at the end of a dialog, the one that goes on last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
