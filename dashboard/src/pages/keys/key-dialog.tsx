import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schema } from '../../api/client';
import { Dialog } from '../../ui/dialog';
import { KeyForm } from './key-form';
import { KEYS_QUERY, type Key } from './keys';
import { NewKey } from './new-key';
import { RevokeKey } from './revoke-key';
import { RotateKey } from './rotate-key';

/** The open dialog of the page. A key that was made is held here and nowhere else, as long as it is shown. */
export type KeyDialogState =
  | { readonly is: 'create' }
  | { readonly is: 'edit' | 'rotate' | 'revoke'; readonly keyId: string }
  | { readonly is: 'new'; readonly created: Schema<'CreatedKey'>; readonly replacedId?: string };

interface KeyDialogProps {
  /** Undefined: none is open. */
  readonly state: KeyDialogState | undefined;
  readonly keys: readonly Key[];
  readonly onState: (state: KeyDialogState | undefined) => void;
}

/** The one dialog of the page: what it asks turns into what came of it, so that the focus goes back to its opener. */
export function KeyDialog({ state, keys, onState }: KeyDialogProps) {
  const queries = useQueryClient();
  const close = (): void => onState(undefined);
  const changed = async (next?: KeyDialogState): Promise<void> => {
    const reading = queries.invalidateQueries({ queryKey: KEYS_QUERY });
    // What is about to be closed is closed over the new list, so that the focus does not go to a row that then vanishes.
    if (next === undefined) await reading;
    onState(next);
  };
  const shown = state && contentOf(state, { keys, close, changed });
  return (
    <Dialog
      title={shown?.title ?? ''}
      isOpen={shown !== undefined}
      onClose={close}
      isDismissable={state?.is !== 'new'}
      role={state?.is === 'revoke' ? 'alertdialog' : 'dialog'}
    >
      {shown?.content}
    </Dialog>
  );
}

interface Around {
  readonly keys: readonly Key[];
  readonly close: () => void;
  /** Reads the keys anew, and shows what is next. */
  readonly changed: (next?: KeyDialogState) => Promise<void>;
}

function contentOf(
  state: KeyDialogState,
  { keys, close, changed }: Around,
): { readonly title: string; readonly content: ReactNode } | undefined {
  const find = (keyId: string | undefined) => keys.find(({ id }) => id === keyId);
  const made = (created?: Schema<'CreatedKey'>) => changed(created && { is: 'new', created });
  if (state.is === 'create') return { title: 'Create a key', content: <KeyForm onDone={made} onCancel={close} /> };
  if (state.is === 'new') {
    const { created, replacedId } = state;
    const content = <NewKey created={created} replaced={find(replacedId)} onClose={close} />;
    return { title: `Your new key “${created.name}”`, content };
  }
  const target = find(state.keyId);
  if (!target) return undefined;
  const around = { target, onDone: () => changed(), onCancel: close };
  if (state.is === 'edit') return { title: `Change “${target.name}”`, content: <KeyForm {...around} /> };
  if (state.is === 'revoke') return { title: `Revoke “${target.name}”?`, content: <RevokeKey {...around} /> };
  const rotated = (created: Schema<'CreatedKey'>) => changed({ is: 'new', created, replacedId: target.id });
  return {
    title: `Rotate “${target.name}”`,
    content: <RotateKey target={target} onRotated={rotated} onCancel={close} />,
  };
}
