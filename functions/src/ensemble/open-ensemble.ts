/*
 * An ensemble: several models answer one message, an arbiter writes the answer. The kernel is what all strategies share:
 * `panel` (who takes part, and what they have said), `waves` (calls side by side, drafts, rounds), `arbiter` (analysis,
 * answer, explanation) and `deadline`. Imports `prompting/`, `runs/` and what is below; sees no HTTP, store or SDK.
 */
import { thinksFirst } from '../models/catalog';
import { modelNameMask } from '../prompting/blind-labels';
import { newConversation } from '../prompting/prompt-draft';
import { heldBytes } from '../runs/held-bytes';
import type { Opened } from '../runs/run-context';
import type { AnswerTimes } from './deadline/answer-times';
import { Deadline, HARD_STOP_MS } from './deadline/deadline';
import { type Ending, type EnsembleRequest, noteDegraded, type Opening, type Run } from './run';
import { strategyFor } from './strategies/pass-through/pass-through';
import { STRATEGIES, STRATEGY_NAMES } from './strategies/strategies';
import { announcedCall } from './waves/question';

/** What an ensemble returns: its ending, and what made it less than asked for. */
export interface EnsembleResult extends Ending {
  readonly degraded: readonly string[];
}

/** Prepares an ensemble: picks the strategy and writes its first prompts. Calls no model. */
export function openEnsemble(request: EnsembleRequest, id: string, answerTimes: AnswerTimes): Opened<EnsembleResult> {
  const opening: Opening = { id, request, conversation: newConversation(id, request) };
  const strategy = strategyFor(request);
  const firstWave = strategy.firstWave(opening);
  return {
    firstWave: firstWave.map(announcedCall),
    about: {
      model: request.panel.arbiter.model.id,
      strategy: STRATEGY_NAMES.find((name) => STRATEGIES[name] === strategy) ?? 'pass_through',
    },
    heldBytes: heldBytes(request.panel.participants.length, charactersOf(request)),
    modelIds: new Set([...request.panel.participants, request.panel.arbiter].map(({ model }) => model.id)),
    timeLimitMs: HARD_STOP_MS,
    play: async (context) => {
      const deadline = new Deadline(context.clock, context.startedAtMs, {
        waves: strategy.waves(request),
        judges: strategy.judges === true || request.includeExplanation,
        answerP95Ms: () => answerP95Ms(request, answerTimes),
        answerThinks: thinksFirst(request.panel.arbiter.model),
      });
      const mask = maskOf(request);
      const run: Run = { ...context, ...opening, deadline, answerTimes, failures: [], degraded: [], mask };
      for (const limitation of request.degraded ?? []) noteDegraded(run, limitation);
      const ending = await strategy.play(run, firstWave);
      return { ...ending, degraded: run.degraded };
    },
  };
}

/** The characters that a run's prompts hold, each text once. */
function charactersOf({ message, history, systemPrompt = '', images = [] }: EnsembleRequest): number {
  const texts = [message, systemPrompt, ...history.map(({ text }) => text), ...images.map(({ base64 }) => base64)];
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Of the reserve, this much a model: when none writes, each gets a turn, half of the time after the arbiter's. */
const LADDER_MS_A_MODEL = 8_000;

/** The arbiter's pace; for a large panel more, so that a quick arbiter does not leave the others without a turn. */
function answerP95Ms({ panel }: EnsembleRequest, answerTimes: AnswerTimes): number | undefined {
  const paceMs = answerTimes.p95Ms(panel.arbiter.model.id);
  const models = new Set(panel.participants.map(({ model }) => model.id)).size;
  return paceMs === undefined ? undefined : Math.max(paceMs, models * LADDER_MS_A_MODEL);
}

/** One mask a run: it is applied to every text in every round, and the user's words may be long. */
function maskOf({ panel, history, message }: EnsembleRequest): (text: string) => string {
  const names = [...panel.participants, panel.arbiter].flatMap(({ model }) => [model.id, model.name]);
  return modelNameMask(names, [...history.map(({ text }) => text), message]);
}
