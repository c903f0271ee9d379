import type { ModelRow } from '../models/catalog';
import type { RoleName } from './roles';

/** How an evaluation is carried out (spec `strategy`; meanings in `plan.ts`). */
export const EVALUATION_STRATEGIES = ['standard', 'speed_pair', 'round_robin', 'competitive_refinement'] as const;

export type EvaluationStrategy = (typeof EVALUATION_STRATEGIES)[number];

/** `standard`: a judge sees all responses in one call. `pointwise`: each alone, in a call of its own. */
export type EvaluationMode = 'standard' | 'pointwise';

/** A response to be scored, as the caller named it. Model id and name never reach a judge. */
export interface JudgedResponse {
  readonly modelId: string;
  readonly modelName: string;
  readonly response: string;
  readonly role?: RoleName;
}

/** A judge on the bench. The same model may sit more than once. */
export interface Judge {
  /** In request order, from 0. */
  readonly place: number;
  /** As the caller named it. */
  readonly id: string;
  readonly name: string;
  readonly model: ModelRow;
}

/** What the caller wants, parsed. */
export interface EvaluationRequest {
  /** What the responses answer. */
  readonly prompt: string;
  /** At least one. Repeated models are legal and stay apart. */
  readonly responses: readonly JudgedResponse[];
  /** At least one, in request order. */
  readonly judges: readonly Judge[];
  readonly strategy: EvaluationStrategy;
  readonly mode: EvaluationMode;
  /** Whether judges far from their peers count less. */
  readonly weighted: boolean;
  /** One spelling for every model, whatever of its names a caller used. */
  canonicalId(name: string): string;
}
