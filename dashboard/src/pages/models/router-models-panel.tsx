import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { useAction } from '../../api/use-action';
import { lazyPart } from '../../loading/lazy-part';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { EmptyState } from '../../ui/empty-state';
import { ErrorState } from '../../ui/error-state';
import { count } from '../../ui/format-number';
import { Panel } from '../../ui/page';
import styles from './models.module.css';
import { ROUTER_MODELS_QUERY } from './models-queries';
import { RouterModelRow } from './router-model-row';

const AddRouterModels = lazyPart(() => import('./add-router-models'));

interface RouterModelsPanelProps {
  readonly list: Schema<'RouterModelList'>;
  readonly isAllowed: boolean;
}

/** The models of the router that were added; without the plan they can be removed. */
export function RouterModelsPanel({ list, isAllowed }: RouterModelsPanelProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const [told, setTold] = useState('');
  const region = useRef<HTMLDivElement>(null);
  const removing = useAction((id: string) =>
    bodyOrThrow(api.DELETE('/dashboard/router-models/{id}', { params: { path: { id } } })),
  );
  const tell = (now: Schema<'RouterModelList'>, text: string): void => {
    queries.setQueryData(ROUTER_MODELS_QUERY, now);
    setTold(text);
  };
  const remove = async ({ slug, name }: { readonly slug: string; readonly name: string }): Promise<void> => {
    const now = await removing.run(slug);
    if (!now) return;
    tell(now, `${name} is removed`);
    // The button that was pressed is gone with its row.
    region.current?.focus();
  };
  const isFull = list.models.length >= list.max;
  const add = (
    <Button icon="plus" onPress={() => setAdding(true)} isDisabled={isFull}>
      Add models
    </Button>
  );
  return (
    <Panel title="Models of the router" actions={isAllowed && list.models.length > 0 && add}>
      <div ref={region} tabIndex={-1} className={styles.stack}>
        <span role="status" className="visually-hidden">
          {told}
        </span>
        {list.models.length === 0 ? (
          <EmptyState title="No model of the router is added yet." action={isAllowed && add}>
            <p>Look for models in the router's own list and add those that you want to ask.</p>
          </EmptyState>
        ) : (
          <>
            <p className={styles.soft}>
              {count(list.models.length)} of {count(list.max)}
              {isFull && ' · remove one to add another'}
            </p>
            {removing.error !== undefined && <ErrorState title="The model was not removed" error={removing.error} />}
            <ul className={styles.rows} aria-label="Added models">
              {list.models.map((model) => (
                <RouterModelRow
                  key={model.slug}
                  model={model}
                  isBusy={removing.isPending}
                  onRemove={() => remove(model)}
                />
              ))}
            </ul>
          </>
        )}
      </div>
      <Dialog title="Add models of the router" isOpen={isAdding} onClose={() => setAdding(false)}>
        <AddRouterModels
          list={list}
          onDone={(now) => {
            tell(now, 'The models are added');
            setAdding(false);
          }}
          onCancel={() => setAdding(false)}
        />
      </Dialog>
    </Panel>
  );
}
