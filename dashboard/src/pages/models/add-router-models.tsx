import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ListBox, ListBoxItem, type Selection } from 'react-aria-components';
import { useApi } from '../../api/api-context';
import { bodyOrThrow, type Schema } from '../../api/client';
import { useAction } from '../../api/use-action';
import { Button } from '../../ui/button';
import { DialogActions } from '../../ui/dialog';
import { ErrorState } from '../../ui/error-state';
import { count } from '../../ui/format-number';
import { SearchField } from '../../ui/search-field';
import { Skeleton } from '../../ui/skeleton';
import { useSettled } from '../../ui/use-settled';
import { contextWords, routerAbilityWords, tokenPriceWords } from './model-words';
import styles from './models.module.css';
import { ROUTER_CATALOG_QUERY } from './models-queries';

const WORDS_CHARACTERS_MAX = 200;
/** An address of a model at the router. */
const SLUG = /^[a-z0-9._-]+\/[a-z0-9._:-]+$/;
/** Number of models that the server finds at most. */
const FOUND_MAX = 50;

interface AddRouterModelsProps {
  readonly list: Schema<'RouterModelList'>;
  readonly onDone: (now: Schema<'RouterModelList'>) => void;
  readonly onCancel: () => void;
}

/** A search in the router's own list; what is chosen stays chosen while other words are looked for. */
export default function AddRouterModels({ list, onDone, onCancel }: AddRouterModelsProps) {
  const api = useApi();
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const q = useSettled(words.trim());
  const found = useQuery({
    queryKey: [...ROUTER_CATALOG_QUERY, q],
    queryFn: ({ signal }) => bodyOrThrow(api.GET('/dashboard/router-catalog', { params: { query: { q } }, signal })),
    placeholderData: keepPreviousData,
  });
  const adding = useAction((slugs: string[]) => bodyOrThrow(api.POST('/dashboard/router-models', { body: { slugs } })));
  const choose = (selection: Selection): void => {
    if (selection !== 'all') setChosen(new Set([...selection].map(String)));
    adding.forgetError();
  };
  const add = async (): Promise<void> => {
    const now = await adding.run([...chosen]);
    if (now) onDone(now);
  };
  const items: readonly Found[] | undefined = found.data && [...found.data.models, ...unlisted(q, found.data.models)];
  const isAdded = (slug: string): boolean => list.models.some((model) => model.slug === slug);
  const room = list.max - list.models.length;
  const isTooMany = chosen.size > room;
  return (
    <>
      <SearchField
        label="Search by name, or enter owner/model"
        value={words}
        onChange={setWords}
        maxLength={WORDS_CHARACTERS_MAX}
        autoFocus
      />
      {found.isPending && <Skeleton label="Loading the router's list" rows={5} rowHeight="56px" />}
      {found.isError && (
        <ErrorState title="The router's list could not be loaded" error={found.error} onRetry={found.refetch} />
      )}
      {found.data && items && (
        <>
          <p role="status" className={styles.soft}>
            {foundWords(found.data.models.length)}
          </p>
          {items.length > 0 && (
            <ListBox
              aria-label="Models of the router"
              selectionMode="multiple"
              selectedKeys={chosen}
              onSelectionChange={choose}
              disabledKeys={list.models.map(({ slug }) => slug)}
              items={items}
              // What an item shows depends on more than its model.
              dependencies={[list]}
              className={styles.found ?? ''}
            >
              {(model) => (
                <ListBoxItem id={model.slug} textValue={model.name} className={styles.option ?? ''}>
                  <span>{model.name}</span>
                  {!model.isUnlisted && <code>{model.slug}</code>}
                  <span className={styles.facts}>{isAdded(model.slug) ? 'added' : factsOf(model)}</span>
                </ListBoxItem>
              )}
            </ListBox>
          )}
        </>
      )}
      {isTooMany && <p role="alert">There is room for {count(room)} more: choose fewer.</p>}
      {adding.error !== undefined && <ErrorState title="The models were not added" error={adding.error} />}
      <DialogActions>
        <Button onPress={onCancel}>Cancel</Button>
        <Button
          kind="primary"
          onPress={add}
          isDisabled={chosen.size === 0 || isTooMany}
          isPending={adding.isPending}
          pendingText="Adding …"
        >
          {addWords(chosen.size)}
        </Button>
      </DialogActions>
    </>
  );
}

type Found = Schema<'RouterCatalog'>['models'][number] & { readonly isUnlisted?: true };

/** The slug that was written, where the router's list has no such model. */
function unlisted(slug: string, found: readonly Found[]): Found[] {
  if (!SLUG.test(slug) || found.some((model) => model.slug === slug)) return [];
  const unknown = { contextTokens: null, vision: 'unknown', tools: 'unknown', price: null, isUnlisted: true } as const;
  return [{ slug, name: `Use ${slug}`, ...unknown }];
}

function factsOf({ isUnlisted, price, contextTokens, ...model }: Found): string {
  if (isUnlisted) return "Not in the router's list. If the router does not know it, that is said when it is asked.";
  const context = `context ${contextWords(contextTokens)}`;
  return [tokenPriceWords(price), context, ...routerAbilityWords(model)].join(' · ');
}

function foundWords(found: number): string {
  if (found === 0) return 'No model of the router has these words in its name.';
  const prices = 'prices in US dollars for a million tokens';
  if (found >= FOUND_MAX) return `The first ${count(FOUND_MAX)} models; add words to narrow the list · ${prices}`;
  return `${found === 1 ? '1 model' : `${count(found)} models`} · ${prices}`;
}

function addWords(chosen: number): string {
  if (chosen === 0) return 'Add';
  return chosen === 1 ? 'Add 1 model' : `Add ${count(chosen)} models`;
}
