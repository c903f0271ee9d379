import type { CheckRule } from '../../ensemble/checks/answer-checks';
import { languageRule } from '../../ensemble/checks/language-rule';
import { maxWordsRule, regexRule, schemaRule } from '../../ensemble/checks/rules';
import type { Panel, Seat } from '../../ensemble/panel/panel';
import type { EnsembleRequest } from '../../ensemble/run';
import { isChatUiErrand } from '../../ensemble/strategies/pass-through/chat-ui-errands';
import { answersAlone } from '../../ensemble/strategies/pass-through/pass-through';
import { DEFAULT_STRATEGY } from '../../ensemble/strategies/strategies';
import { isRefusal, type Refusal, refuse } from '../../errors';
import type { ModelFlaw } from '../../models/model-policy';
import { askedModels, ignoredSettings, type ModelsOnOffer, refuseBlind } from './asked-models';
import { type EnsembleOptions, QUORUM_RULE } from './ensemble-options';
import type { RunFields } from './run-fields';
import { withTools } from './tool-offer';

const NANO = 1e9;

/** The ensemble that a request asks for: `ai_ensemble` overrides what a virtual model id stands for. */
export async function ensembleRequest(
  deps: ModelsOnOffer,
  fields: RunFields,
  requestId: string,
): Promise<EnsembleRequest | Refusal> {
  const { messages, strategy, reasoning, ai_ensemble: options, answerForm, temperature, top_p: topP } = fields;
  const { systemMessages, toolTurns: _, ...conversation } = messages;
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
    sampling: { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { topP }) },
    ...instructionsOf(systemMessages, options, virtual !== undefined),
    degraded: panel.participants.flatMap(ignoredSettings),
    ...(answerForm && { answerForm }),
  };
  const whole = withTools(request, fields.toolFields ?? {}, messages);
  if (isRefusal(whole)) return whole;
  const searching = options.webSearch ? withWebSearch(whole, deps.unsearchable) : whole;
  return options.checks ? withChecks(searching, options.checks, fields.stream) : searching;
}

/** Refuses images that not all of the panel can see, and to wait for more participants than there are. */
function refusePanel(panel: Panel, { messages, ai_ensemble: options }: RunFields): Refusal | undefined {
  const hasImages = [messages, ...messages.history].some(({ images }) => images !== undefined);
  const blind = hasImages ? refuseBlind(panel, 'Images') : undefined;
  if (blind || (options.quorum ?? 0) <= panel.participants.length) return blind;
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
  const alone = answersAlone(request) ? aloneFlaw(request) : undefined;
  if (alone !== undefined) return { ...request, webSearch: true, degraded: [...degraded, `No web search: ${alone}`] };
  const seated = (seat: Seat): Seat => (unsearchable(seat.model) === undefined ? { ...seat, webSearch: true } : seat);
  const said = new Map(
    panel.participants.flatMap(({ model }) => {
      const flaw = unsearchable(model);
      return flaw === undefined ? [] : [[model.id, `${model.name} ran without web search: ${flaw}`]];
    }),
  );
  return {
    ...request,
    webSearch: true,
    panel: { participants: panel.participants.map(seated), arbiter: seated(panel.arbiter) },
    degraded: [...degraded, ...said.values()],
  };
}

/** Feature that a model which answers alone cannot combine with a search: not every provider takes both in one call. */
function aloneFlaw({ tools, toolResults, answerForm, history }: EnsembleRequest): string | undefined {
  const hasTools = tools ?? toolResults ?? history.find(({ toolCalls }) => toolCalls);
  if (hasTools) return 'the request has tools of its own';
  return answerForm && 'the answer is to be JSON';
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
