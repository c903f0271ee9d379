import { Link } from 'wouter';
import { EmptyState } from '../../ui/empty-state';
import { Page } from '../../ui/page';

/** The page for an unknown address. */
export function NotFoundPage() {
  return (
    <Page title="No such page">
      <EmptyState title="There is nothing at this address." action={<Link href="/keys">Go to your API keys</Link>} />
    </Page>
  );
}
