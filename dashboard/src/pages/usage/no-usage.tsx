import { Link } from 'wouter';
import { useSession } from '../../session/session-context';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { EmptyState } from '../../ui/empty-state';
import styles from './usage.module.css';

/** The state of months without use: how use comes about, or the way to later months. */
export function NoUsage({ onLatest }: { readonly onLatest: (() => void) | undefined }) {
  const { baseUrl } = useSession();
  if (onLatest)
    return (
      <EmptyState
        title="Nothing was used in these months."
        action={<Button onPress={onLatest}>Show the latest</Button>}
      />
    );
  const call = [
    `curl ${baseUrl}/chat/completions -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\`,
    `  -d '{"model": "ensemble", "messages": [{"role": "user", "content": "Is a tomato a fruit?"}]}'`,
  ].join('\n');
  return (
    <EmptyState
      title="Nothing was used in these months. Cost and tokens appear here as soon as a program asks with one of your keys."
      action={<Link href="/keys">Go to your API keys</Link>}
    >
      <pre className={styles.snippet}>{call}</pre>
      <CopyButton text={call} what="call" kind="quiet" />
    </EmptyState>
  );
}
