import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context';
import { bodyOrThrow } from '../../api/client';
import { useAccountPlan } from '../../api/use-account-plan';
import { ErrorState } from '../../ui/error-state';
import { Page } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { ROUTER_KEY_QUERY } from './models-queries';
import { PlatformModels } from './platform-models';
import { RouterPart } from './router-part';
import { usePlatformModels } from './use-platform-models';
import { useRouterModels } from './use-router-models';

/** The page of the models: those of a router that the user pays for, and those that the deployment offers. */
export default function ModelsPage() {
  const api = useApi();
  const plan = useAccountPlan();
  const key = useQuery({ queryKey: ROUTER_KEY_QUERY, queryFn: () => bodyOrThrow(api.GET('/dashboard/router-key')) });
  const models = useRouterModels();
  // Read at once, and shown when what is above it has its height: nothing moves then.
  usePlatformModels();
  const router = [plan, key, models];
  const failed = router.find(({ isError }) => isError);
  const readAgain = (): void => router.filter(({ isError }) => isError).forEach(({ refetch }) => void refetch());
  const isRead = plan.data && key.data && models.data;
  return (
    <Page title="Models" lead="The models that you can ask, and those of a router that you pay for yourself.">
      {failed && (
        <ErrorState
          title="Your key and models of the router could not be loaded"
          error={failed.error}
          onRetry={readAgain}
        />
      )}
      {!failed && !isRead && <Skeleton label="Loading your key and models of the router" rows={2} rowHeight="148px" />}
      {!failed && isRead && <RouterPart plan={plan.data} saved={key.data.saved} list={models.data} />}
      {(failed || isRead) && <PlatformModels />}
    </Page>
  );
}
