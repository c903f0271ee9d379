import { type ModelLookup, seatPanel } from '../ensemble/panel';
import type { EnsembleRequest } from '../ensemble/run';
import type { StrategyName } from '../ensemble/strategy-names';
import type { Catalog } from '../models/catalog';
import type { Sampling } from '../models/model';
import type { EnsembleOptions, ModelReference } from './ensemble-options';
import type { Messages } from './messages';
import type { RunFields } from './run-fields';
import type { Services } from './services';
import { virtualModel } from './virtual-models';

/** What each endpoint reads in its own way. */
export interface Asked {
  readonly messages: Messages;
  /** What the model stands for; `ai_ensemble.strategy` goes before it. */
  readonly strategy: StrategyName;
  /** Absent: the catalog's. */
  readonly find?: ModelLookup;
}

/** The run a request asks for: `ai_ensemble` overrides what a virtual model id stands for. */
export function ensembleRequest(
  { catalog, defaultModel, defaultPanel }: Pick<Services, 'catalog' | 'defaultModel' | 'defaultPanel'>,
  fields: RunFields,
  { messages, strategy, find = catalog.modelOf }: Asked,
): EnsembleRequest {
  const options: EnsembleOptions = fields.ai_ensemble ?? NO_OPTIONS;
  const isVirtual = virtualModel(fields.model) !== undefined;
  const arbiter = isVirtual ? defaultModel : fields.model;
  const named = options.models.map((reference) => idOf(catalog, reference));
  const participants = named.length > 0 ? named : isVirtual ? defaultPanel : [];
  const systemPrompt = options.systemPrompt ?? messages.systemPrompt;
  return {
    strategy: options.strategy ?? strategy,
    rounds: options.rounds,
    panel: seatPanel(find(arbiter), participants.map(find)),
    prompt: messages.prompt,
    history: messages.history,
    sampling: samplingOf(fields),
    includeCandidates: options.includeCandidates,
    includeExplanation: options.includeExplanation ?? fields.reasoning?.effort !== undefined,
    includeFollowUps: options.includeFollowUps,
    ...(systemPrompt !== undefined && { systemPrompt }),
  };
}

const NO_OPTIONS: EnsembleOptions = { rounds: 1, models: [], includeFollowUps: false, includeCandidates: false };

function idOf(catalog: Catalog, reference: ModelReference): string {
  return 'id' in reference ? reference.id : catalog.modelIdOfName(reference.name);
}

function samplingOf({ temperature, top_p }: RunFields): Sampling {
  return { ...(temperature !== undefined && { temperature }), ...(top_p !== undefined && { topP: top_p }) };
}
