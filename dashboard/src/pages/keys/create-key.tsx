import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { useAction } from '../../api/use-action';
import { KeyFields } from './key-fields';
import { type KeyWish, valuesOf } from './key-wish';

const WORDS = { submit: 'Create key', pending: 'Creating …', failed: 'The key was not created' };

interface CreateKeyProps {
  readonly onCreated: (key: Schema<'CreatedKey'>) => void;
  readonly onCancel: () => void;
}

/** The form for a new key. */
export function CreateKey({ onCreated, onCancel }: CreateKeyProps) {
  const api = useApi();
  const creating = useAction((body: Schema<'NewKey'>) => bodyOrThrow(api.POST('/dashboard/keys', { body })));
  const create = async (wish: KeyWish): Promise<void> => {
    const created = await creating.run(wish);
    if (created) onCreated(created);
  };
  return <KeyFields start={valuesOf()} action={creating} words={WORDS} onSubmit={create} onCancel={onCancel} />;
}
