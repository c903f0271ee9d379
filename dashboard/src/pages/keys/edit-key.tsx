import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { useAction } from '../../api/use-action';
import { KeyFields } from './key-fields';
import { editOf, type KeyWish, valuesOf } from './key-wish';
import type { Key } from './keys';

const WORDS = { submit: 'Save', pending: 'Saving …', failed: 'The key was not changed' };

interface EditKeyProps {
  readonly target: Key;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Another name, end or other limits for a key; one that was rotated ends when its rotation said. */
export function EditKey({ target, onDone, onCancel }: EditKeyProps) {
  const api = useApi();
  const saving = useAction((body: Schema<'KeyEdit'>) =>
    bodyOrThrow(api.PATCH('/dashboard/keys/{id}', { params: { path: { id: target.id } }, body })),
  );
  const save = async (wish: KeyWish): Promise<void> => {
    const edit = editOf(target, wish, Date.now());
    if (Object.keys(edit).length === 0 || (await saving.run(edit))) onDone();
  };
  return <KeyFields start={valuesOf(target)} action={saving} words={WORDS} onSubmit={save} onCancel={onCancel} />;
}
