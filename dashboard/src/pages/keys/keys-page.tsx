import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context';
import { bodyOrThrow } from '../../api/client';
import { ErrorState } from '../../ui/error-state';
import { Page } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';

/** The page of the API keys. */
export function KeysPage() {
  const api = useApi();
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => bodyOrThrow(api.GET('/dashboard/keys')) });
  return (
    <Page title="API keys" lead="A key lets a program use the API in your name.">
      {keys.isPending && <Skeleton label="Loading your keys" rows={3} />}
      {keys.isError && <ErrorState title="Your keys could not be read" error={keys.error} onRetry={keys.refetch} />}
      {keys.data && (
        <ul>
          {keys.data.keys.map(({ id, name, last4 }) => (
            <li key={id}>
              {name} …{last4}
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
