import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { useAction } from '../../api/use-action';
import { KeyFields } from './key-fields';
import { editOf, type KeyWish, valuesOf } from './key-wish';
import type { Key } from './keys';

const CREATE = { submit: 'Create key', pending: 'Creating …', failed: 'The key was not created' };
const EDIT = { submit: 'Save', pending: 'Saving …', failed: 'The key was not changed' };

interface KeyFormProps {
  /** The key to be changed; undefined: a new one is made. One that was rotated ends when its rotation said. */
  readonly target?: Key;
  /** Called with a key that was made. */
  readonly onDone: (created?: Schema<'CreatedKey'>) => void;
  readonly onCancel: () => void;
}

/** The form for a new key, or for another name, end or other limits of one. */
export function KeyForm({ target, onDone, onCancel }: KeyFormProps) {
  const api = useApi();
  const saving = useAction(async (wish: KeyWish): Promise<{ readonly created?: Schema<'CreatedKey'> }> => {
    if (!target) return { created: await bodyOrThrow(api.POST('/dashboard/keys', { body: wish })) };
    const body = editOf(target, wish, Date.now());
    const params = { path: { id: target.id } };
    if (Object.keys(body).length > 0) await bodyOrThrow(api.PATCH('/dashboard/keys/{id}', { params, body }));
    return {};
  });
  const save = async (wish: KeyWish): Promise<void> => {
    const saved = await saving.run(wish);
    if (saved) onDone(saved.created);
  };
  const words = target ? EDIT : CREATE;
  return <KeyFields start={valuesOf(target)} action={saving} words={words} onSubmit={save} onCancel={onCancel} />;
}
