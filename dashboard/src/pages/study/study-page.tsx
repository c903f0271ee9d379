import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context';
import { bodyOrThrow } from '../../api/client';
import { EmptyState } from '../../ui/empty-state';
import { ErrorState } from '../../ui/error-state';
import { Page, Panel } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { COMMAND } from './command';
import { LastStudy } from './last-study';
import styles from './study.module.css';

/** The last study of quality and cost: what single models and ensembles got right on tasks with known answers. */
export default function StudyPage() {
  const api = useApi();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['study'],
    queryFn: () => bodyOrThrow(api.GET('/dashboard/study')),
  });
  return (
    <Page
      title="Study"
      lead="What single models and ensembles got right on tasks with known answers, and what a right answer costs."
      isWide
    >
      {isPending && <Skeleton label="Loading the last study" rows={6} />}
      {error && <ErrorState title="The last study could not be loaded" error={error} onRetry={refetch} />}
      {data?.study === null && (
        <Panel>
          <EmptyState title="No study has been made here yet.">
            <p>Whoever runs this server can make one with their own models. It shows its price before it begins:</p>
            <pre className={styles.code} dir="ltr">
              <code>{COMMAND}</code>
            </pre>
          </EmptyState>
        </Panel>
      )}
      {data?.study && <LastStudy study={data.study} />}
    </Page>
  );
}
