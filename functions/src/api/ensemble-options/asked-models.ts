import { type Panel, type Seat, type SeatSettings, seatPanel } from '../../ensemble/panel/panel';
import { similarVirtualId, type VirtualModel, virtualModel } from '../../ensemble/strategies/virtual-models';
import { type Refusal, refuse } from '../../errors';
import type { Catalog } from '../../models/catalog';
import type { OfferedModels } from '../../models/offered-models';
import type { EnsembleOptions } from './ensemble-options';
import type { RunFields } from './run-fields';

/** Models of a deployment, against which a request is checked. */
export type ModelsOnOffer = Omit<OfferedModels, 'offeredModels'> & { readonly catalog: Catalog };

/** The models that a request asks for. */
interface AskedModels {
  readonly panel: Panel;
  /** Set where the request's model stands for an ensemble. */
  readonly virtual: VirtualModel | undefined;
}

/**
 * Seats the models that a request asks for. Refuses, by name, those that the deployment does not allow, a misspelt
 * virtual id, and a model that is served nowhere: a typo is to cost nothing and to page nobody.
 */
export function askedModels(deps: ModelsOnOffer, fields: RunFields): AskedModels | Refusal {
  const { catalog, defaultModel, defaultPanel, unserved } = deps;
  const { model, ai_ensemble: options, namesEnsemble } = fields;
  const isNoModel = !catalog.knows(model);
  const virtual = virtualModel(model) ?? (namesEnsemble && isNoModel ? { id: model, name: model } : undefined);
  const named = options.models.map(({ id, name = '' }) => id ?? catalog.modelIdOfName(name));
  const flaw = barredModel(deps, virtual ? undefined : model, named);
  if (flaw) return refuse('invalid_request', flaw);
  const meant = virtual || !isNoModel ? undefined : similarVirtualId(model);
  if (meant) return refuse('invalid_request', `Model ${model}: no such ensemble; did you mean ${meant}?`);
  const chosen = named.length > 0 || !virtual ? named : defaultPanel;
  const arbiter = catalog.modelOf(virtual ? defaultModel : model);
  const panel = seatPanel(arbiter, chosen.map(catalog.modelOf), options.models.map(settingsOf));
  // Other participants that are served nowhere have failed; a run without an arbiter or any participant cannot begin.
  const nobody = panel.participants.every((seat) => unserved(seat.model));
  const seat = [panel.arbiter, ...(nobody ? panel.participants : [])].find((each) => unserved(each.model));
  if (seat) return refuse('invalid_request', `Model ${seat.model.id}: ${unserved(seat.model)}`);
  return { panel, virtual };
}

function barredModel({ catalog, modelFlaw }: ModelsOnOffer, model: string | undefined, named: readonly string[]) {
  const flaws = named.map((id, index) => [`ai_ensemble.models[${index}]`, modelFlaw(catalog.modelOf(id))] as const);
  const ofModel = model === undefined ? undefined : modelFlaw(catalog.modelOf(model));
  const barred = [['model', ofModel] as const, ...flaws].find(([, flaw]) => flaw !== undefined);
  return barred && `Invalid ${barred[0]}: ${barred[1]}`;
}

function settingsOf(entry: EnsembleOptions['models'][number]): SeatSettings {
  const { temperature, reasoningEffort, systemPrompt, label } = entry;
  return {
    ...(temperature !== undefined && { sampling: { temperature } }),
    ...(reasoningEffort && { reasoningEffort }),
    ...(systemPrompt && { systemPrompt }),
    ...(label !== undefined && { givenLabel: label }),
  };
}

/** Settings of a seat that its model does not take and that are not sent, in words for people. */
export function ignoredSettings({ label, model, sampling, reasoningEffort }: Seat): string[] {
  const temperature = sampling && !model.sampling && `temperature: ${sampling.temperature}`;
  const effort = reasoningEffort && !model.reasoningEffort && `reasoning effort: ${reasoningEffort}`;
  return [temperature, effort].flatMap((ignored) => (ignored ? [`${label} takes no ${ignored} was not sent`] : []));
}

/** Refuses images that somebody of the panel cannot see, by name. */
export function refuseBlind({ participants, arbiter }: Panel, what: string): Refusal | undefined {
  const blind = [...participants, arbiter].flatMap(({ model }) => (model.vision ? [] : [model.name]));
  if (blind.length === 0) return undefined;
  const names = [...new Set(blind)];
  const verb = names.length > 1 ? 'have' : 'has';
  return refuse('invalid_request', `${what} need models with vision, which ${names.join(', ')} ${verb} not`);
}
