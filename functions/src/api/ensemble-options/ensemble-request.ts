import type { CheckRule } from '../../ensemble/checks/answer-checks';
import { languageRule } from '../../ensemble/checks/language-rule';
import { maxWordsRule, regexRule, schemaRule } from '../../ensemble/checks/rules';
import { type Panel, type Seat, seatPanel } from '../../ensemble/panel/panel';
import type { EnsembleRequest } from '../../ensemble/run';
import { isChatUiErrand } from '../../ensemble/strategies/pass-through/chat-ui-errands';
import { answersAlone, isOneModel } from '../../ensemble/strategies/pass-through/pass-through';
import {
  DEFAULT_STRATEGY,
  similarVirtualId,
  type VirtualModel,
  virtualModel,
} from '../../ensemble/strategies/strategies';
import { isRefusal, type Refusal, refuse } from '../../errors';
import type { Catalog, ModelRow } from '../../models/catalog';
import { imagesIn, isAddress, isPdf } from '../../models/images';
import type { ModelFlaw } from '../../models/model-policy';
import type { OfferedModels } from '../../models/offered-models';
import { type EnsembleOptions, QUORUM_RULE } from './ensemble-options';
import type { RunFields } from './run-fields';
import { withTools } from './tool-offer';

const NANO = 1e9;

/** Models of a deployment, against which a request is checked. */
type ModelsOnOffer = Omit<OfferedModels, 'offeredModels'> & { readonly catalog: Catalog };

/** The ensemble that a request asks for: `ai_ensemble` overrides what a virtual model id stands for. */
export async function ensembleRequest(
  deps: ModelsOnOffer,
  fields: RunFields,
  requestId: string,
): Promise<EnsembleRequest | Refusal> {
  const { messages, strategy, reasoning, ai_ensemble: options, answerForm, temperature, top_p: topP } = fields;
  const { reasoning_effort: reasoningEffort } = fields;
  const { systemMessages, toolTurns: _, strayResult: __, ...conversation } = messages;
  const asked = askedModels(deps, fields);
  if (isRefusal(asked)) return asked;
  const { panel, virtual } = asked;
  const unfit = refusePanel(panel, fields);
  if (unfit) return unfit;
  const request: EnsembleRequest = {
    requestId,
    strategy: options.strategy ?? strategy ?? virtual?.strategy ?? DEFAULT_STRATEGY,
    rounds: options.rounds,
    auto: options.mode ?? virtual?.auto ?? false,
    errand: virtual !== undefined && isChatUiErrand(messages.message, systemMessages[0]),
    panel,
    ...boundsOf(options),
    ...conversation,
    // Any effort but `none` switches the explanation on and has no other effect.
    includeExplanation: options.includeReasoning ?? (reasoning?.effort ?? 'none') !== 'none',
    includeCandidates: options.includeCandidates,
    includeFollowUps: options.includeFollowUpPrompts,
    ...(reasoningEffort && { reasoningEffort }),
    sampling: { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { topP }) },
    promptCacheKey: fields.prompt_cache_key,
    ...instructionsOf(systemMessages, options, virtual !== undefined),
    degraded: panel.participants.flatMap(ignoredSettings),
    ...(answerForm && { answerForm }),
  };
  const whole = withTools(toolsFirst(request, fields), fields, { ...messages, agent: options.agent });
  if (isRefusal(whole)) return whole;
  const searching = options.webSearch ? withWebSearch(whole, deps.unsearchable) : whole;
  return options.checks ? withChecks(searching, options.checks, fields.stream) : searching;
}

/** The same request, for one call where one model is offered tools: what would take more calls has no effect then. */
function toolsFirst(request: EnsembleRequest, { toolFields, toolOffer }: RunFields): EnsembleRequest {
  const { tools } = toolOffer ?? toolFields ?? {};
  const isOffered = Array.isArray(tools) && tools.length > 0;
  if (!isOffered || !isOneModel(request.panel)) return request;
  return { ...request, strategy: DEFAULT_STRATEGY, rounds: 1, includeExplanation: false };
}

/** Refuses images that not all of the panel can see, and to wait for more participants than there are. */
function refusePanel(panel: Panel, { messages, ai_ensemble: { quorum = 0 } }: RunFields): Refusal | undefined {
  const images = [messages, ...messages.history].flatMap(imagesIn);
  const blind =
    (images.length > 0 ? refuseBlind(panel, images.every(isPdf) ? 'PDFs' : 'Images') : undefined) ??
    (images.some(isAddress) ? refuseWithout(panel, FETCHED) : undefined);
  if (blind || quorum <= panel.participants.length) return blind;
  return refuse('invalid_request', `Invalid ai_ensemble.quorum: ${QUORUM_RULE}`);
}

function boundsOf({ quorum, graceSeconds, maxCostUsd, maxSeconds }: EnsembleOptions) {
  return {
    stragglers: { quorum, graceMs: graceSeconds && graceSeconds * 1_000 },
    limits: { maxCostNanoUsd: maxCostUsd && maxCostUsd * NANO, maxMs: maxSeconds && maxSeconds * 1_000 },
  };
}

/**
 * Readers of each system message (`docs/api.md`, Messages). `ai_ensemble.systemPrompt` is the arbiter's and takes the
 * place of the first system message there; what participants are shown, when it is shared, are the messages themselves.
 */
function instructionsOf(
  systemMessages: readonly string[],
  { systemPrompt, shareSystemPrompt }: EnsembleOptions,
  isVirtual: boolean,
): Pick<EnsembleRequest, 'systemPrompt' | 'sharedPrompt'> {
  const [first, ...further] = systemMessages;
  const own = [systemPrompt || first, ...(isVirtual ? further : [])].filter((text) => text !== undefined);
  const isShared = (shareSystemPrompt ?? isVirtual) && first !== undefined;
  return {
    ...(own.length > 0 && { systemPrompt: own.join('\n\n') }),
    ...(isShared && { sharedPrompt: systemMessages.join('\n\n') }),
  };
}

/**
 * The same request with a search of the web, which those seats make that can: for their first texts, or for the answer of
 * one that answers alone. Others run without, and it is said, once for each model. A chat UI's own message is nothing to
 * search for.
 */
function withWebSearch(request: EnsembleRequest, unsearchable: ModelFlaw): EnsembleRequest {
  if (request.errand) return request;
  const { panel, degraded = [] } = request;
  const alone = answersAlone(request) || request.agent ? aloneFlaw(request) : undefined;
  if (alone !== undefined) return { ...request, webSearch: true, degraded: [...degraded, `No web search: ${alone}`] };
  const seated = (seat: Seat): Seat => (unsearchable(seat.model) === undefined ? { ...seat, webSearch: true } : seat);
  const without = panel.participants.filter(({ model }) => unsearchable(model) !== undefined);
  const said = without.map(({ model }) => `${model.name} ran without web search: ${unsearchable(model)}`);
  return {
    ...request,
    webSearch: true,
    panel: { participants: panel.participants.map(seated), arbiter: seated(panel.arbiter) },
    degraded: [...degraded, ...new Set(said)],
  };
}

/** Feature that a model which answers alone cannot combine with a search: not every provider takes both in one call. */
function aloneFlaw({ tools, toolResults, answerForm, history }: EnsembleRequest): string | undefined {
  const hasTools = tools ?? toolResults ?? history.find(({ toolCalls }) => toolCalls);
  return hasTools ? 'the request has tools of its own' : answerForm && 'the answer is to be JSON';
}

/** The same request with the rules that its answer must satisfy; libraries for them are loaded only then. */
async function withChecks(
  request: EnsembleRequest,
  { maxWords, regex, language, jsonSchema }: NonNullable<EnsembleOptions['checks']>,
  stream: boolean,
): Promise<EnsembleRequest | Refusal> {
  const pattern = regex === undefined ? undefined : await regexRule(regex);
  if (typeof pattern === 'string') return refuse('invalid_request', `Invalid ai_ensemble.checks.regex: ${pattern}`);
  const rules: readonly (CheckRule | undefined)[] = [
    maxWords === undefined ? undefined : maxWordsRule(maxWords),
    pattern,
    language && (await languageRule(language)),
    jsonSchema && schemaRule(jsonSchema),
  ];
  // An answer that is streamed is held back only where its form is to be checked.
  const repairs = !stream || request.answerForm !== undefined;
  return { ...request, checks: { rules: rules.filter((rule) => rule !== undefined), repairs } };
}

/** The models that a request asks for; `virtual` is set where its own stands for an ensemble. */
interface AskedModels {
  readonly panel: Panel;
  readonly virtual: VirtualModel | undefined;
}

/**
 * Seats the models that a request asks for. Refuses, by name, those that the deployment does not allow, a misspelt
 * virtual id, and a model that is served nowhere: a typo is to cost nothing and to page nobody.
 */
function askedModels(deps: ModelsOnOffer, fields: RunFields): AskedModels | Refusal {
  const { catalog, defaultModel, defaultPanel, unserved } = deps;
  const { model, ai_ensemble: options, namesEnsemble } = fields;
  const isNoModel = !catalog.knows(model);
  const virtual = virtualModel(model) ?? (namesEnsemble && isNoModel ? { id: model, name: model } : undefined);
  const named = options.models.map(({ id, name = '' }) => id ?? catalog.modelIdOfName(name));
  const barred = refuseBarred(deps, virtual ? undefined : model, named);
  if (barred) return barred;
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

function refuseBarred({ catalog, modelFlaw }: ModelsOnOffer, model: string | undefined, named: readonly string[]) {
  const places = [['model', model], ...named.map((id, index) => [`ai_ensemble.models[${index}]`, id])];
  for (const [field, id] of places) {
    const flaw = id === undefined ? undefined : modelFlaw(catalog.modelOf(id));
    if (flaw !== undefined) return refuse('invalid_request', `Invalid ${field}: ${flaw}`);
  }
  return undefined;
}

function settingsOf({ temperature, reasoningEffort, systemPrompt, label }: EnsembleOptions['models'][number]) {
  return {
    ...(temperature !== undefined && { sampling: { temperature } }),
    ...(reasoningEffort && { reasoningEffort }),
    ...(systemPrompt && { systemPrompt }),
    ...(label !== undefined && { givenLabel: label }),
  };
}

/** Settings of a seat that its model does not take and that are not sent, in words for people. */
function ignoredSettings({ label, model, sampling, reasoningEffort }: Seat): string[] {
  const temperature = sampling && !model.sampling && `temperature: ${sampling.temperature}`;
  const effort = reasoningEffort && !model.reasoningEffort && `reasoning effort: ${reasoningEffort}`;
  return [temperature, effort].flatMap((ignored) => (ignored ? [`${label} takes no ${ignored} was not sent`] : []));
}

/** Refuses images that somebody of the panel cannot see, by name. */
export function refuseBlind(panel: Panel, what: string): Refusal | undefined {
  return refuseWithout(panel, { needs: `${what} need models with vision`, lacks: ({ vision }) => vision === false });
}

/** Abilities of a model that images need. */
interface Need {
  readonly needs: string;
  readonly lacks: (model: ModelRow) => boolean;
}

/** Google's protocol takes an address with its type beside it alone, which no client tells. */
const FETCHED: Need = {
  needs: 'Images by their address need models with a provider that fetches them',
  lacks: ({ provider }) => provider === 'google',
};

function refuseWithout({ participants, arbiter }: Panel, { needs, lacks }: Need): Refusal | undefined {
  const without = [...participants, arbiter].filter(({ model }) => lacks(model));
  if (without.length === 0) return undefined;
  const names = [...new Set(without.map(({ model }) => model.name))];
  const rule = `${needs}, which ${names.join(', ')} ${names.length > 1 ? 'have' : 'has'} not`;
  return refuse('invalid_request', rule);
}
