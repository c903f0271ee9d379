import type { ReactNode } from 'react';
import { useSession } from '../../session/session-context';
import { CodeSample } from '../../ui/code-sample';
import { EmptyState } from '../../ui/empty-state';
import styles from './keys.module.css';

const BODY = { model: 'ensemble', messages: [{ role: 'user', content: 'Is a tomato a fruit?' }] };

/** The use of a key, for users without one. */
export function NoKeys({ action }: { readonly action: ReactNode }) {
  const { baseUrl } = useSession();
  return (
    <EmptyState title="Create a key, put it where YOUR_KEY stands, and several models answer." action={action}>
      <div className={styles.sample}>
        <CodeSample label="A call" call={{ baseUrl, apiKey: 'YOUR_KEY', body: BODY }} />
      </div>
    </EmptyState>
  );
}
