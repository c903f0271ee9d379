import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { useAction } from '../../api/use-action';
import { expiresAtOf, expiryOf } from './expiry';
import { KeyFields, type KeyFieldValues, type KeyWish } from './key-fields';
import type { Key } from './keys';

const WORDS = { submit: 'Save', pending: 'Saving …', failed: 'The key was not changed' };

interface EditKeyProps {
  readonly target: Key;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Another name, end or budget for a key; one that was rotated ends when its rotation said. */
export function EditKey({ target, onDone, onCancel }: EditKeyProps) {
  const api = useApi();
  const saving = useAction((body: Schema<'KeyEdit'>) =>
    bodyOrThrow(api.PATCH('/dashboard/keys/{id}', { params: { path: { id: target.id } }, body })),
  );
  const start: KeyFieldValues = {
    name: target.name,
    budget: target.budgetUsd === undefined ? '' : String(target.budgetUsd),
    ...(target.state !== 'rotating' && { expiry: expiryOf(target.expiresAt) }),
  };
  const save = async (wish: KeyWish): Promise<void> => {
    const edit = editOf(target, wish);
    if (Object.keys(edit).length === 0 || (await saving.run(edit))) onDone();
  };
  return <KeyFields start={start} action={saving} words={WORDS} onSubmit={save} onCancel={onCancel} />;
}

/** The part of a wish that differs from the key as it is. */
function editOf(target: Key, { name, expiresAt, budgetUsd }: KeyWish): Schema<'KeyEdit'> {
  const shownEnd = expiresAtOf(expiryOf(target.expiresAt), Date.now());
  const isSameEnd = target.state === 'rotating' || shownEnd === expiresAt;
  return {
    ...(name !== target.name && { name }),
    ...(!isSameEnd && { expiresAt: expiresAt ?? 'never' }),
    ...(budgetUsd !== target.budgetUsd && { budgetUsd: budgetUsd ?? 'none' }),
  };
}
