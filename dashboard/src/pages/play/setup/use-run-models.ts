import type { Schema } from '../../../api/client';
import { usePlatformModels } from '../../models/use-platform-models';
import { useRouterModels } from '../../models/use-router-models';

/** A model that can take part in a run. */
export interface RunModel {
  readonly id: string;
  readonly name: string;
  /** The provider or router that offers it, in a word. */
  readonly source: string;
  /** Absent: not known. */
  readonly vision?: Schema<'Model'>['vision'];
  readonly tools?: Schema<'Model'>['tools'];
  /** True of an id that is not in the list. */
  readonly isOther?: true;
}

/** The model of an id, listed or not. */
export function runModelOf(models: readonly RunModel[], id: string): RunModel {
  const other = { id, name: id, source: '', vision: 'unknown', tools: 'unknown', isOther: true } as const;
  return models.find((model) => model.id === id) ?? other;
}

/** The models of the deployment and the user's own of the router, which come first; undefined until both are read. */
export function useRunModels(): { readonly models?: readonly RunModel[]; readonly error?: unknown; retry(): void } {
  const platform = usePlatformModels();
  const router = useRouterModels();
  const retry = (): void => {
    void platform.refetch();
    void router.refetch();
  };
  const error = platform.error ?? router.error ?? undefined;
  if (!platform.data || !router.data) return { ...(error && { error }), retry };
  const own = router.data.models.map(({ slug, name, vision, tools }) => {
    return { id: slug, name, source: 'your router', vision, tools };
  });
  const offered = platform.data.models.map(({ id, name, owned_by: source, vision, tools }) => {
    return {
      id,
      name,
      source: source === 'own-server' ? 'own server' : source,
      ...(vision !== undefined && { vision }),
      ...(tools !== undefined && { tools }),
    };
  });
  return { models: [...own, ...offered.filter(({ source }) => source !== 'ensemble')], retry };
}
