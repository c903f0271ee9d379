import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { useAction } from '../../api/use-action';
import { NEVER } from './expiry';
import { KeyFields, type KeyWish } from './key-fields';

const WORDS = { submit: 'Create key', pending: 'Creating …', failed: 'The key was not created' };

interface CreateKeyProps {
  readonly onCreated: (key: Schema<'CreatedKey'>) => void;
  readonly onCancel: () => void;
}

/** The form for a new key. */
export function CreateKey({ onCreated, onCancel }: CreateKeyProps) {
  const api = useApi();
  const creating = useAction((body: Schema<'NewKey'>) => bodyOrThrow(api.POST('/dashboard/keys', { body })));
  const create = async ({ name, expiresAt, budgetUsd }: KeyWish): Promise<void> => {
    const created = await creating.run({
      name,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(budgetUsd !== undefined && { budgetUsd }),
    });
    if (created) onCreated(created);
  };
  return (
    <KeyFields
      start={{ name: '', expiry: NEVER, budget: '' }}
      action={creating}
      words={WORDS}
      onSubmit={create}
      onCancel={onCancel}
    />
  );
}
