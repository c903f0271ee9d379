import { type Panel, seatPanel } from '../../ensemble/panel/panel';
import { similarVirtualId, type VirtualModel, virtualModel } from '../../ensemble/strategies/virtual-models';
import { type Refusal, refuse } from '../../errors';
import type { Catalog } from '../../models/catalog';
import type { ModelFlaw } from '../../models/model-policy';
import type { OfferedModels } from '../../models/offered-models';
import type { RunFields } from './run-fields';

/** Models of a deployment, against which a request is checked. */
export type ModelsOnOffer = Omit<OfferedModels, 'offeredModels'> & { readonly catalog: Catalog };

/** The models that a request asks for. */
export interface AskedModels {
  readonly panel: Panel;
  /** Set where the request's model stands for an ensemble. */
  readonly virtual: VirtualModel | undefined;
}

/**
 * Seats the models that a request asks for. Refuses, by name, those that the deployment does not allow, a misspelt
 * virtual id, and a model that is served nowhere: a typo is to cost nothing and to page nobody.
 */
export function askedModels(deps: ModelsOnOffer, fields: RunFields): AskedModels | Refusal {
  const { catalog, defaultModel, defaultPanel } = deps;
  const { model, ai_ensemble: options } = fields;
  const virtual = virtualModel(model) ?? virtualByName(catalog, fields);
  const named = options.models.map((entry) => ('id' in entry ? entry.id : catalog.modelIdOfName(entry.name)));
  const barred = barredModel(deps, virtual ? undefined : model, named);
  if (barred) return barred;
  const participants = named.length > 0 || !virtual ? named : defaultPanel;
  const settings = options.models.map((entry) => entry.settings);
  const panel = seatPanel(catalog.modelOf(virtual ? defaultModel : model), participants.map(catalog.modelOf), settings);
  const flaw = unservedModel(panel, deps.unserved);
  return flaw ? refuse('invalid_request', flaw) : { panel, virtual };
}

/** At an endpoint whose model ids may name an ensemble in any words, such an id that is no model's. */
function virtualByName(catalog: Catalog, { model, namesEnsemble }: RunFields): VirtualModel | undefined {
  return namesEnsemble && !catalog.knows(model) ? { id: model, name: model } : undefined;
}

function barredModel(
  { catalog, modelFlaw }: ModelsOnOffer,
  model: string | undefined,
  named: readonly string[],
): Refusal | undefined {
  const asked = [
    ...(model === undefined ? [] : [{ field: 'model', id: model }]),
    ...named.map((id, index) => ({ field: `ai_ensemble.models[${index}]`, id })),
  ];
  for (const { field, id } of asked) {
    const flaw = modelFlaw(catalog.modelOf(id));
    if (flaw) return refuse('invalid_request', `Invalid ${field}: ${flaw}`);
  }
  const meant = model === undefined || catalog.knows(model) ? undefined : similarVirtualId(model);
  return meant ? refuse('invalid_request', `Model ${model}: no such ensemble; did you mean ${meant}?`) : undefined;
}

/** In words for the client, where the arbiter, or the whole panel, is served nowhere; others are failed participants. */
function unservedModel({ arbiter, participants }: Panel, unserved: ModelFlaw): string | undefined {
  const nobody = participants.every(({ model }) => unserved(model));
  const seat = [arbiter, ...(nobody ? participants : [])].find(({ model }) => unserved(model));
  return seat && `Model ${seat.model.id}: ${unserved(seat.model)}`;
}
