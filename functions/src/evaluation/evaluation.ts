import type { ModelRow } from '../models/catalog';
import type { RoleName } from './rubric';
import type { Scores } from './scoring';

/** A response to be scored, as the caller named it. Model id and name never reach a judge. */
export interface JudgedResponse {
  readonly modelId: string;
  readonly modelName: string;
  readonly response: string;
  readonly role?: RoleName;
}

/** A judge of the request, as the caller named it. The same model may be several. */
export interface Judge {
  /** In request order, from 0. */
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly model: ModelRow;
}

/** Evaluation as requested: one response or more, one judge or more. Repeated models are legal and stay apart. */
export interface EvaluationRequest {
  /** Prompt that the responses answer. */
  readonly message: string;
  readonly responses: readonly JudgedResponse[];
  readonly judges: readonly Judge[];
  readonly strategy: EvaluationStrategy;
  /** `standard`: a judge sees all responses in one call. `pointwise`: each alone, in a call of its own. */
  readonly mode: 'standard' | 'pointwise';
  /** Set where judges far from their peers count less. */
  readonly weighted: boolean;
  /** One spelling for every model, whatever of its names a caller used. */
  canonicalId(name: string): string;
}

/** In the order in which a 400 names them. */
export const EVALUATION_STRATEGY_NAMES = ['standard', 'speed_pair', 'round_robin', 'competitive_refinement'] as const;

export type EvaluationStrategyName = (typeof EVALUATION_STRATEGY_NAMES)[number];

interface EvaluationStrategy {
  /** One order for all judges, turned for the first, the second, …; without it each judge has an order of its own. */
  readonly turned?: (shared: readonly number[], turn: number) => readonly number[];
  /** Only the first two judges are asked, and one that is alone reads the list twice. */
  readonly pair?: boolean;
  /** No judge scores what its own model wrote. */
  readonly recuses?: boolean;
  /** Judges that contradict each other score again, seeing each other's scores. */
  readonly secondLooks?: boolean;
  /** One sentence of reasoning is enough. */
  readonly brief?: boolean;
  /** A call may take this long, retries included. */
  readonly callBudgetMs: number;
}

/** Ways to carry out an evaluation (`docs/evaluations.md`, Strategies and their calls). */
export const EVALUATION_STRATEGIES: Readonly<Record<EvaluationStrategyName, EvaluationStrategy>> = {
  standard: { callBudgetMs: 150_000 },
  // Forwards and backwards, so that a liking for the first place cancels.
  speed_pair: {
    turned: (shared, turn) => (turn === 0 ? shared : shared.toReversed()),
    ...{ pair: true, brief: true, callBudgetMs: 60_000 },
  },
  // Over a full turn each response stands in each place once.
  round_robin: {
    turned: (shared, turn) => shared.map((_, place) => shared[(place + turn) % shared.length] ?? 0),
    ...{ recuses: true, callBudgetMs: 150_000 },
  },
  competitive_refinement: { secondLooks: true, callBudgetMs: 150_000 },
};

export interface JudgeEvent {
  readonly type: 'judge';
  readonly judge: Pick<Judge, 'index' | 'id' | 'name'>;
  /** Place of the response in the request, from 0. */
  readonly response: number;
  /** 2 where judges score again, with each other's scores before them. */
  readonly round: 1 | 2;
  /** `started`: the judge is asked, and its call has begun. One that is not asked any more fails without a start. */
  readonly state: 'started' | 'done' | 'failed';
  /** Scores of a judge that is done, by criterion; the response may get other scores of this judge in the end. */
  readonly scores?: Scores;
  readonly overallScore?: number;
  readonly reasoning?: string;
  /** Why there are none, in words for people. */
  readonly reason?: string;
}

/** Takes the events of an evaluation as they happen. Must not throw. */
export type ObserveJudges = (event: JudgeEvent) => void;
