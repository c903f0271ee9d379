import { routerModelRow } from '../byok/router-models';
import { ensembleRequest } from '../endpoints/ensemble-request';
import type { Services } from '../endpoints/services';
import { virtualModel } from '../endpoints/virtual-models';
import type { ModelLookup, Panel } from '../ensemble/panel';
import type { EnsembleRequest } from '../ensemble/run';
import { DEFAULT_STRATEGY } from '../ensemble/strategy-names';
import { isRefusal, type Refusal, refuse } from '../errors';
import type { PdfReader } from '../lib/pdf-text';
import type { Catalog, ModelRow } from '../models/catalog';
import type { RouterModelRecord, RouterModelStore } from '../store/byok-store';
import { readAttachments } from './attachments';
import type { PlaygroundFields } from './playground-request';

/** What a playground request is read with. */
export interface PlaygroundEnsembleDesk extends Pick<Services, 'catalog' | 'defaultModel' | 'defaultPanel' | 'models'> {
  readonly store: RouterModelStore;
  readonly readPdf: PdfReader;
}

/** A request as its models and files are looked up. */
export interface Asking {
  /** The run's own id, which its fences are made from. */
  readonly id: string;
  readonly userId: string;
  readonly fields: PlaygroundFields;
}

/**
 * The run that a playground request asks for. Refuses a router slug that its user has not added, a file that cannot be
 * used, and images for a panel in which somebody has no vision: each by its name.
 */
export async function playgroundEnsemble(
  desk: PlaygroundEnsembleDesk,
  { id, userId, fields }: Asking,
): Promise<EnsembleRequest | Refusal> {
  const { messages, model, attachments = [], tools = [] } = fields;
  const lookUp = lookUpIn(desk, await desk.store.listRouterModels(userId));
  const strategy = virtualModel(model)?.strategy ?? DEFAULT_STRATEGY;
  const named = { ...desk, catalog: { ...desk.catalog, modelIdOfName: lookUp.idOfName } };
  const asked = ensembleRequest(named, fields, { messages, strategy, find: lookUp.find });
  const [stranger] = lookUp.strangers;
  if (stranger !== undefined) {
    return refuse('invalid_request', `Unknown model ${JSON.stringify(stranger)}: add it to your router models first`);
  }
  const files = await readAttachments(attachments, { requestId: id, readPdf: desk.readPdf });
  if (isRefusal(files)) return files;
  const blind = namesOf(asked.panel, ({ vision }) => !vision);
  if (files.images.length > 0 && blind !== '') {
    return refuse('invalid_request', `Image attachments need models with vision, which ${blind} ${have(blind)} not`);
  }
  return {
    ...asked,
    ...(files.text !== '' && { prompt: `${asked.prompt}\n\n${files.text}` }),
    ...(files.images.length > 0 && { images: files.images }),
    shortcomings: toolNotes(asked.panel, tools),
  };
}

interface LookUp {
  readonly find: ModelLookup;
  /** The id behind the name that people see; the user's router models first. */
  readonly idOfName: Catalog['modelIdOfName'];
  /** Ids with a slash that are neither the user's nor the platform's. */
  readonly strangers: Set<string>;
}

/** The user's router models first, then those the platform lists; any other name with a slash is a stranger. */
function lookUpIn(
  { models, catalog }: { readonly models: readonly ModelRow[]; readonly catalog: Catalog },
  added: readonly RouterModelRecord[],
): LookUp {
  const rows = new Map([...models, ...added.map(routerModelRow)].map((row) => [row.id, row]));
  const slugs = new Map(added.map(({ name, slug }) => [name.toLowerCase(), slug]));
  const strangers = new Set<string>();
  const find: ModelLookup = (id) => {
    const known = rows.get(id);
    if (!known && id.includes('/')) strangers.add(id);
    return known ?? catalog.modelOf(id);
  };
  const idOfName = (name: string): string => slugs.get(name.toLowerCase()) ?? catalog.modelIdOfName(name);
  return { find, idOfName, strangers };
}

/** There are no tools yet: whoever asked for one is told, and which models could not use it anyway. */
function toolNotes(panel: Panel, tools: readonly string[]): string[] {
  if (tools.length === 0) return [];
  const unable = namesOf(panel, (model) => !model.tools);
  const able = namesOf(panel, (model) => model.tools);
  return [
    ...(unable === '' ? [] : [`Without ${tools.join(', ')}: ${unable} cannot use tools`]),
    ...(able === '' ? [] : [`Without ${tools.join(', ')}, which is not available yet: ${able}`]),
  ];
}

function namesOf({ participants, arbiter }: Panel, which: (model: ModelRow) => boolean): string {
  const models = [...participants, arbiter].map(({ model }) => model).filter(which);
  return [...new Set(models.map(({ name }) => name))].join(', ');
}

function have(names: string): string {
  return names.includes(', ') ? 'have' : 'has';
}
