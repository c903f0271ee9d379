import type { Documents } from '../../tasks/task.ts';
import { samplesArm, singleArm } from '../finished-run.ts';

/** The strategies of the service. */
export const STRATEGY_NAMES = [
  'competitive_refinement',
  'collaborative_synthesis',
  'expert_panel',
  'debate_tournament',
  'hierarchical',
  'chain_of_thought',
  'red_team_blue_team',
] as const;

/** The arm that asks for a panel only where one is needed. */
export const AUTO = 'auto';

/** The models of a study. */
export interface Panel {
  readonly panel: readonly string[];
  readonly arbiter: string;
  readonly rounds: number;
}

/** An arm of a server of its own, such as another system's ensemble: one model there, asked once a task. */
export interface ExternalArm {
  readonly name: string;
  readonly model: string;
  readonly baseUrl: string;
  /** The environment variable that holds its key; undefined where it needs none. */
  readonly keyVariable: string | undefined;
}

/** The fields of a request that an arm adds to its messages. */
export interface ArmRequest {
  readonly model: string;
  readonly ai_ensemble: Readonly<Record<string, unknown>>;
}

/** The models that answer alone: those of the panel and the arbiter, each once. */
export function singleModels({ panel, arbiter }: Panel): string[] {
  return [...new Set([...panel, arbiter])];
}

/** One model, asked directly. */
function singleRequest(model: string): ArmRequest {
  return { model, ai_ensemble: {} };
}

/** A strategy, or `auto`, with the panel of the study. */
function strategyRequest(strategy: string, { panel, arbiter, rounds }: Panel, documents?: Documents): ArmRequest {
  const chosen = strategy === AUTO ? { mode: 'auto' } : { strategy };
  const models = documents ? withDocuments(panel, documents) : panel;
  return { model: arbiter, ai_ensemble: { ...chosen, models, ...(rounds > 1 && { rounds }) } };
}

/** The panel with the documents of two members as their system prompts; of a panel of one there is no claim. */
function withDocuments(panel: readonly string[], { fact, claim, turn }: Documents) {
  const holder = turn % panel.length;
  return panel.map((id, seat) => {
    if (seat === holder) return { id, systemPrompt: fact };
    return seat === (holder + 1) % panel.length ? { id, systemPrompt: claim } : id;
  });
}

/** The request of an arm by its name. */
export function requestOf(arm: string, panel: Panel, documents?: Documents): ArmRequest {
  const model = singleModels(panel).find((one) => [singleArm(one), samplesArm(one)].includes(arm));
  return model === undefined ? strategyRequest(arm, panel, documents) : singleRequest(model);
}
