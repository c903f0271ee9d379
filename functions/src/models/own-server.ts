import type { Ability, Catalog, ModelPrice, ModelRow } from './catalog';
import type { OfferedModels } from './offered-models';

/** A model as a server lists it. */
export interface ListedModel {
  readonly id: string;
  readonly name: string;
  /** False for a model of embeddings and the like. */
  readonly chats: boolean;
  readonly contextTokens: number | null;
  readonly vision: Ability;
  readonly tools: Ability;
  readonly price: Pick<ModelPrice, 'inputUsdPerMillion' | 'outputUsdPerMillion'> | null;
}

/** Last list that a server gave, if any, and the failure of the latest reading, whose message says why in words. */
export interface ServerList {
  readonly value?: readonly ListedModel[];
  readonly readAtMs?: number;
  readonly error?: Error;
}

/** Never rejects. */
export type KeptList = () => Promise<ServerList>;

/** Models to choose from, and the list of a server of one's own among them, if there is one. */
export interface ModelChoice {
  readonly rows: readonly ModelRow[];
  readonly list: ServerList | undefined;
}

/** The catalog, with what a server of one's own tells where nothing else is known, and the models to choose from. */
export function withOwnServer(catalog: Catalog, readList?: KeptList) {
  let known: ReadonlyMap<string, ListedModel> = new Map();
  const modelOf = (id: string): ModelRow => {
    const row = catalog.modelOf(id);
    const told = row.provider === 'openai' ? known.get(row.providerModel) : undefined;
    if (!told) return row;
    const [vision, tools] = (['vision', 'tools'] as const).map((name) => (row[name] === 'unknown' ? told : row)[name]);
    return { ...row, contextTokens: row.contextTokens ?? told.contextTokens, vision, tools } as ModelRow;
  };
  const choiceOf = async ({ offeredModels, modelFlaw }: OfferedModels): Promise<ModelChoice> => {
    const list = await readList?.();
    known = new Map(list?.value?.map((model) => [model.id, model]));
    const listed = [...known.values()].filter(({ chats }) => chats).map(({ id }) => modelOf(id));
    const own = listed.filter((row) => row.provider === 'openai' && modelFlaw(row) === undefined);
    const rows = new Map([...offeredModels.map(({ id }) => modelOf(id)), ...own].map((row) => [row.id, row]));
    return { rows: [...rows.values()], list };
  };
  return { catalog: { ...catalog, modelOf }, choiceOf };
}
