import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schema } from '../../api/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Moment } from '../../ui/moment';
import { Panel } from '../../ui/page';
import { DeleteRouterKey } from './delete-router-key';
import styles from './models.module.css';
import { ROUTER_KEY_QUERY } from './models-queries';
import { SaveRouterKey } from './save-router-key';

interface RouterKeyPanelProps {
  readonly saved: Schema<'RouterKey'>['saved'];
  readonly modelCount: number;
  readonly isAllowed: boolean;
}

const TITLES = {
  save: 'Save a router key',
  replace: 'Replace the router key',
  delete: 'Delete the router key?',
} as const;

/** The key of the router: how it ends and when it was saved, and what can be done with it. */
export function RouterKeyPanel({ saved, modelCount, isAllowed }: RouterKeyPanelProps) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<keyof typeof TITLES>();
  const [unchecked, setUnchecked] = useState<string>();
  const close = (): void => setAsked(undefined);
  const done = (now: Schema<'RouterKey'>): void => {
    queries.setQueryData(ROUTER_KEY_QUERY, now);
    setUnchecked(now.unchecked);
    close();
  };
  const isDeleting = asked === 'delete';
  return (
    <Panel title="Router key">
      {saved ? (
        <p>
          <code>…{saved.last4}</code>{' '}
          <span className={styles.soft}>
            saved <Moment at={saved.savedAt} as="day" />
          </span>
        </p>
      ) : (
        <p>No key is saved. With a key you can use the models of the router, which bills you for them.</p>
      )}
      <div className={styles.buttons}>
        {isAllowed && (
          <Button onPress={() => setAsked(saved ? 'replace' : 'save')}>{saved ? 'Replace' : 'Save a key'}</Button>
        )}
        {saved && <Button onPress={() => setAsked('delete')}>Delete</Button>}
      </div>
      <p role="status" className={unchecked === undefined ? 'visually-hidden' : styles.warn}>
        {unchecked !== undefined && `The key is saved, but the router could not be asked if it takes it: ${unchecked}.`}
      </p>
      <p className={styles.soft}>It is stored encrypted and never shown again.</p>
      <Dialog
        title={asked ? TITLES[asked] : ''}
        isOpen={asked !== undefined}
        onClose={close}
        role={isDeleting ? 'alertdialog' : 'dialog'}
      >
        {isDeleting ? (
          <DeleteRouterKey modelCount={modelCount} onDone={done} onCancel={close} />
        ) : (
          <SaveRouterKey replaces={saved?.last4} onDone={done} onCancel={close} />
        )}
      </Dialog>
    </Panel>
  );
}
