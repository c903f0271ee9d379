import { useState } from 'react';
import { useAccountPlan } from '../../api/use-account-plan';
import { Button } from '../../ui/button';
import { ErrorState } from '../../ui/error-state';
import { Page } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { AboutKeys } from './about-keys';
import { KeyDialog, type KeyDialogState } from './key-dialog';
import { KeyTable } from './key-table';
import { liveCount } from './keys';
import { NoKeys } from './no-keys';
import { ProNeeded } from './pro-needed';
import { useKeys } from './use-keys';

/** The page of the API keys. */
export default function KeysPage() {
  const keys = useKeys();
  const plan = useAccountPlan();
  const [dialog, setDialog] = useState<KeyDialogState>();
  const failed = [keys, plan].find((query) => query.isError && query.data === undefined);
  const isFull = keys.data !== undefined && liveCount(keys.data.keys) >= keys.data.liveMax;
  const canCreate = plan.data?.allows.api === true;
  const create = canCreate && (
    <Button kind="primary" icon="plus" isDisabled={isFull} onPress={() => setDialog({ is: 'create' })}>
      Create key
    </Button>
  );
  const isEmpty = keys.data?.keys.length === 0;
  return (
    <Page title="API keys" lead="A key lets a program use the API in your name." actions={!isEmpty && create}>
      {failed && <ErrorState title="Your keys could not be loaded" error={failed.error} onRetry={failed.refetch} />}
      {!failed && !(keys.data && plan.data) && <Skeleton label="Loading your keys" rows={3} />}
      {keys.data && plan.data && (
        <>
          <AboutKeys keys={keys.data} plan={plan.data} />
          {!canCreate && <ProNeeded plan={plan.data} keys={keys.data} />}
          {isEmpty && canCreate && <NoKeys action={create} />}
          <KeyTable
            terms={{ keys: keys.data.keys, canCreate, monthEndsAt: plan.data.monthEndsAt, onOpen: setDialog }}
          />
          <KeyDialog state={dialog} keys={keys.data.keys} onState={setDialog} />
        </>
      )}
    </Page>
  );
}
