import { routerModelRow } from '../../byok/router-models';
import { type Refusal, refuse } from '../../errors';
import type { Catalog, ModelRow } from '../../models/catalog';
import type { PlaygroundDeps } from '../deps';

/** The catalog as one user has it. */
export interface UserCatalog {
  readonly catalog: Catalog;
  /** A 400 where it was asked for a router model that the user has not added. */
  refuseUnknown(): Refusal | undefined;
}

/** The deployment's catalog with the router models that a user has added first. */
export async function userCatalog(
  { offeredModels, catalog, store }: Pick<PlaygroundDeps, 'offeredModels' | 'catalog' | 'store'>,
  userId: string,
): Promise<UserCatalog> {
  const added = await store.listRouterModels(userId);
  const rows = new Map([...offeredModels, ...added.map(routerModelRow)].map((row) => [row.id, row]));
  const slugs = new Map(added.map(({ name, slug }) => [name.toLowerCase(), slug]));
  const unknownIds = new Set<string>();
  const modelOf = (id: string): ModelRow => {
    const known = rows.get(id);
    if (!known && id.includes('/')) unknownIds.add(id);
    return known ?? catalog.modelOf(id);
  };
  const modelIdOfName = (name: string): string => slugs.get(name.toLowerCase()) ?? catalog.modelIdOfName(name);
  return {
    catalog: { ...catalog, modelOf, modelIdOfName },
    refuseUnknown: () => {
      const [unknown] = unknownIds;
      if (unknown === undefined) return undefined;
      return refuse('invalid_request', `Unknown model ${JSON.stringify(unknown)}: add it to your router models first`);
    },
  };
}
