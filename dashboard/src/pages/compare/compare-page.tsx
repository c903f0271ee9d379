import { ErrorState } from '../../ui/error-state';
import { Page } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { useRunModels } from '../play/setup/use-run-models';
import { useSuggestions } from '../play/setup/use-suggestions';
import { Comparison } from './comparison';

/** The same prompt, answered by up to three set-ups side by side: whether an ensemble is worth what it costs. */
export default function ComparePage() {
  const { models, error, retry } = useRunModels();
  const suggestions = useSuggestions();
  const isRead = models !== undefined && suggestions !== undefined;
  return (
    <Page
      title="Compare"
      lead="The same prompt, answered by up to three set-ups: what each says, what it costs, and how long it takes."
      isWide
    >
      {error !== undefined && <ErrorState title="The models could not be loaded" error={error} onRetry={retry} />}
      {error === undefined && !isRead && <Skeleton label="Loading the models" rows={3} rowHeight="96px" />}
      {isRead && <Comparison models={models} suggestions={suggestions} />}
    </Page>
  );
}
