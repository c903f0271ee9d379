/*
 * What a request may say of an ensemble: the schema of `ai_ensemble`, the fields beside it, and the ensemble they come
 * to. Imports the panel and the table of strategies; must not know an endpoint.
 */
import type { EnsembleRequest } from '../../ensemble/run';
import { isChatUiErrand } from '../../ensemble/strategies/pass-through/chat-ui-errands';
import { DEFAULT_STRATEGY } from '../../ensemble/strategies/strategies';
import { isRefusal, type Refusal } from '../../errors';
import { askedModels, type ModelsOnOffer } from './asked-models';
import { runLimits, stragglerRule } from './bounds';
import { instructionsOf } from './instructions';
import { ignoredSettings } from './model-entry';
import type { RunFields } from './run-fields';

/** The ensemble that a request asks for: `ai_ensemble` overrides what a virtual model id stands for. */
export function ensembleRequest(deps: ModelsOnOffer, fields: RunFields): EnsembleRequest | Refusal {
  const { messages, strategy, temperature, top_p: topP, reasoning, ai_ensemble: options, answerForm } = fields;
  const asked = askedModels(deps, fields);
  if (isRefusal(asked)) return asked;
  const { panel, virtual } = asked;
  const { degraded, ...instructions } = instructionsOf(messages, { ...options, virtual: virtual !== undefined });
  const stragglers = stragglerRule(options, panel);
  if (isRefusal(stragglers)) return stragglers;
  return {
    strategy: options.strategy ?? strategy ?? virtual?.strategy ?? DEFAULT_STRATEGY,
    rounds: options.rounds,
    auto: options.mode ?? virtual?.auto ?? false,
    errand: virtual !== undefined && isChatUiErrand(messages.message, messages.systemMessages[0]),
    panel,
    stragglers,
    limits: runLimits(options),
    message: messages.message,
    history: messages.history,
    // Any effort switches the explanation on and has no other effect.
    includeExplanation: options.includeReasoning ?? reasoning?.effort !== undefined,
    includeCandidates: options.includeCandidates,
    includeFollowUps: options.includeFollowUpPrompts,
    sampling: { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { topP }) },
    ...instructions,
    degraded: [...degraded, ...panel.participants.flatMap(ignoredSettings)],
    ...(answerForm && { answerForm }),
  };
}
