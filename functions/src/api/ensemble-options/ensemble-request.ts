/*
 * What a request may say of an ensemble: the schema of `ai_ensemble`, the fields beside it, and the ensemble they come
 * to. Imports the panel and the table of strategies; must not know an endpoint.
 */
import type { Panel } from '../../ensemble/panel/panel';
import type { EnsembleRequest } from '../../ensemble/run';
import { isChatUiErrand } from '../../ensemble/strategies/pass-through/chat-ui-errands';
import { DEFAULT_STRATEGY } from '../../ensemble/strategies/strategies';
import { isRefusal, type Refusal } from '../../errors';
import type { Sampling } from '../../models/model';
import type { Messages } from '../shared/messages';
import { askedModels, type ModelsOnOffer } from './asked-models';
import { runLimits, stragglerRule } from './bounds';
import { instructionsOf } from './instructions';
import { ignoredSettings } from './model-entry';
import type { RunFields } from './run-fields';
import { withTools } from './tool-offer';
import { refuseBlind } from './vision';
import { withWebSearch } from './web-search';

/** The ensemble that a request asks for: `ai_ensemble` overrides what a virtual model id stands for. */
export function ensembleRequest(deps: ModelsOnOffer, fields: RunFields, requestId: string): EnsembleRequest | Refusal {
  const { messages, strategy, reasoning, ai_ensemble: options, answerForm } = fields;
  const { systemMessages, toolTurns: _, ...conversation } = messages;
  const asked = askedModels(deps, fields);
  if (isRefusal(asked)) return asked;
  const { panel, virtual } = asked;
  const instructions = instructionsOf(messages, { ...options, virtual: virtual !== undefined });
  const stragglers = refuseUnseen(messages, panel) ?? stragglerRule(options, panel);
  if (isRefusal(stragglers)) return stragglers;
  const request = {
    requestId,
    strategy: options.strategy ?? strategy ?? virtual?.strategy ?? DEFAULT_STRATEGY,
    rounds: options.rounds,
    auto: options.mode ?? virtual?.auto ?? false,
    errand: virtual !== undefined && isChatUiErrand(messages.message, systemMessages[0]),
    panel,
    stragglers,
    limits: runLimits(options),
    ...conversation,
    // Any effort but `none` switches the explanation on and has no other effect.
    includeExplanation: options.includeReasoning ?? (reasoning?.effort ?? 'none') !== 'none',
    includeCandidates: options.includeCandidates,
    includeFollowUps: options.includeFollowUpPrompts,
    sampling: samplingOf(fields),
    ...instructions,
    degraded: panel.participants.flatMap(ignoredSettings),
    ...(answerForm && { answerForm }),
  };
  const whole = withTools(request, fields.toolFields ?? {}, messages);
  return isRefusal(whole) || !options.webSearch ? whole : withWebSearch(whole, deps.unsearchable);
}

/** Refuses images that somebody of the panel could not see. */
function refuseUnseen(messages: Messages, panel: Panel): Refusal | undefined {
  const hasImages = [messages, ...messages.history].some(({ images }) => images !== undefined);
  return hasImages ? refuseBlind(panel, 'Images') : undefined;
}

function samplingOf({ temperature, top_p: topP }: RunFields): Sampling {
  return { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { topP }) };
}
