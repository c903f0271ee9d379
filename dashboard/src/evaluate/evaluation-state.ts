import type { Schema } from '../api/client';

/** The question to judges, and who they are. */
export interface EvaluationQuestion {
  readonly prompt: string;
  readonly responses: readonly Schema<'JudgedResponse'>[];
  readonly judges: readonly Schema<'Judge'>[];
  readonly mode: 'standard' | 'pointwise';
  /** The run that it is kept with. */
  readonly runId?: string;
}

/** A judge reads a response, and what came of it. */
export type JudgeEvent = Schema<'JudgeEvent'>;

/** The events of an evaluation, in order. */
export type EvaluationEvent = Schema<'EvaluationEvent'>;

/** The progress of an evaluation. */
export interface EvaluationState {
  /** Keyed by the place of the judge in the request; each response with its last reading. */
  readonly readings: ReadonlyMap<number, ReadonlyMap<number, JudgeEvent>>;
  readonly result?: Schema<'EvaluationList'>;
  /** Why there is none. */
  readonly failure?: string;
}

/** An evaluation of which nothing is known yet. */
export const NO_EVALUATION: EvaluationState = { readings: new Map() };

/** The state after one more event; what the page does not know changes nothing. */
export function applyEvaluationEvent(state: EvaluationState, event: EvaluationEvent): EvaluationState {
  switch (event.type) {
    case 'judge': {
      const { index } = event.judge;
      const ofJudge = new Map(state.readings.get(index)).set(event.response, event);
      return { ...state, readings: new Map(state.readings).set(index, ofJudge) };
    }
    case 'result': {
      const { type: _, ...result } = event;
      return { ...state, result };
    }
    case 'failed':
      return { ...state, failure: event.message };
    default:
      return state;
  }
}
