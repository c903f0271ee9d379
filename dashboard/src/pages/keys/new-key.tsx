import { useRef } from 'react';
import type { Schema } from '../../api/client';
import { useSession } from '../../session/session-context';
import { Button } from '../../ui/button';
import { CodeSample } from '../../ui/code-sample';
import { CopyButton } from '../../ui/copy-button';
import { DialogActions } from '../../ui/dialog';
import { exactMoment } from '../../ui/format-moment';
import { FirstCall } from './first-call';
import { type Key, shortKey } from './keys';
import styles from './keys.module.css';
import { useSampleModel } from './use-sample-model';

const QUESTION = 'Is a tomato a fruit?';

interface NewKeyProps {
  readonly created: Schema<'CreatedKey'>;
  /** The key that this one replaces, as it is now. */
  readonly replaced?: Key | undefined;
  readonly onClose: () => void;
}

/** A key, this once; a call to try it with, and whether that has come. */
export function NewKey({ created, replaced, onClose }: NewKeyProps) {
  const { baseUrl } = useSession();
  const model = useSampleModel(created);
  const field = useRef<HTMLInputElement>(null);
  const select = (): void => field.current?.select();
  const body = { model: model ?? '', messages: [{ role: 'user', content: QUESTION }] };
  return (
    <>
      <p>
        This is the only time that the key is shown. Store it where your program reads it, such as a secret manager.
      </p>
      <div className={styles.secret}>
        <input
          ref={field}
          readOnly
          value={created.key}
          onFocus={select}
          aria-label="The new key"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          data-1p-ignore
          data-lpignore="true"
          data-bwignore
        />
        <CopyButton text={created.key} what="key" kind="primary" autoFocus onRefused={select} />
      </div>
      {replaced && <p>{replacedText(replaced)}</p>}
      {model === undefined ? (
        <p>
          This key may not ask for chat completions: the{' '}
          <a href="/docs" target="_blank" rel="noreferrer">
            reference
          </a>{' '}
          says how its endpoints are called.
        </p>
      ) : (
        <CodeSample label="A first call, with this key in it" call={{ baseUrl, apiKey: created.key, body }} />
      )}
      <FirstCall keyId={created.id} />
      <DialogActions>
        <Button onPress={onClose}>I have stored it</Button>
      </DialogActions>
    </>
  );
}

function replacedText(replaced: Key): string {
  const { state, expiresAt } = replaced;
  return state === 'rotating' && expiresAt !== null
    ? `The old key ${shortKey(replaced)} works until ${exactMoment(Date.parse(expiresAt))}.`
    : `The old key ${shortKey(replaced)} has ended.`;
}
