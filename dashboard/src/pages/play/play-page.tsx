import { useParams } from 'wouter';
import { useAccountPlan } from '../../api/use-account-plan';
import { useKept } from '../../drafts/use-kept';
import { ErrorState } from '../../ui/error-state';
import { Page, Panel } from '../../ui/page';
import { PlanLine } from '../../ui/plan-line';
import { Skeleton } from '../../ui/skeleton';
import { KeyboardHelp } from './keyboard-help';
import { PlayRun } from './play-run';

/** The choice whether single keys do something, of this browser. */
const SHORTCUTS = { place: 'localStorage', read: (kept: unknown) => kept !== false } as const;

/** The playground: a question for several models, and what each of them does about it, as it happens. */
export default function PlayPage() {
  const { id } = useParams<{ id?: string }>();
  const plan = useAccountPlan();
  const [hasShortcuts, setShortcuts] = useKept('shortcuts', SHORTCUTS);
  return (
    <Page
      title="Playground"
      lead={
        id === undefined &&
        'Ask several models at once, watch them answer and revise, and see how the answer comes about.'
      }
      isWide
      actions={<KeyboardHelp isOn={hasShortcuts} onChange={setShortcuts} />}
    >
      {plan.isError && (
        <ErrorState title="Your plan could not be loaded" error={plan.error} onRetry={() => void plan.refetch()} />
      )}
      {plan.isPending && <Skeleton label="Loading the playground" rows={3} rowHeight="96px" />}
      {plan.data && !plan.data.allows.routerModels && (
        <Panel title="The playground comes with every plan">
          <p>With an active Pro or bring-your-own-key plan you can run any of the models here, ten times a minute.</p>
          <PlanLine plan={plan.data}>See how to get one on the page of your plan</PlanLine>
        </Panel>
      )}
      {plan.data?.allows.routerModels && <PlayRun id={id} hasShortcuts={hasShortcuts} />}
    </Page>
  );
}
