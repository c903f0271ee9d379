import { useState } from 'react';
import type { Schema } from '../../api/client';
import { ErrorState } from '../../ui/error-state';
import { count } from '../../ui/format-number';
import { Panel } from '../../ui/page';
import { SearchField } from '../../ui/search-field';
import { Segmented } from '../../ui/segmented';
import { Skeleton } from '../../ui/skeleton';
import { hasWords } from './model-words';
import styles from './models.module.css';
import { OwnServerNote } from './own-server-note';
import { PlatformTable } from './platform-table';
import { usePlatformModels } from './use-platform-models';

const ABILITIES = [
  { id: 'any', label: 'All' },
  { id: 'vision', label: 'With vision' },
  { id: 'tools', label: 'With tools' },
] as const;
type Ability = (typeof ABILITIES)[number]['id'];

/** The models that the deployment offers, with their prices. */
export function PlatformModels() {
  const models = usePlatformModels();
  return (
    <Panel title="Platform models">
      <p className={styles.soft}>
        Each id answers alone. <code>ensemble</code> and ids such as <code>ensemble-expert-panel</code> let several
        answer together. Prices are in US dollars for a million tokens.
      </p>
      <OwnServerNote />
      {models.isPending && <Skeleton label="Loading the platform's models" rows={5} />}
      {models.isError && (
        <ErrorState title="The platform's models could not be loaded" error={models.error} onRetry={models.refetch} />
      )}
      {models.data && <Filtered models={models.data.models} />}
    </Panel>
  );
}

function Filtered({ models }: { readonly models: readonly Schema<'Model'>[] }) {
  const [words, setWords] = useState('');
  const [ability, setAbility] = useState<Ability>('any');
  const shown = models.filter(
    (model) =>
      hasWords([model.id, model.name, model.owned_by], words) && (ability === 'any' || model[ability] === true),
  );
  return (
    <>
      <div className={styles.filter}>
        <SearchField label="Filter by name or provider" value={words} onChange={setWords} />
        <Segmented label="Capabilities" options={ABILITIES} value={ability} onChange={setAbility} />
      </div>
      <p role="status" className={styles.soft}>
        {shown.length === 0
          ? 'No model matches. Try other words, or show all.'
          : `${count(shown.length)} of ${count(models.length)} models`}
      </p>
      {shown.length > 0 && <PlatformTable models={shown} />}
    </>
  );
}
